import type { RunContext } from "../../../bulk/engine/context.js";
import type { RunInfo } from "../../../bulk/journal/list.js";
import { refusedError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import {
  isApply,
  isProvisioning,
  runArgument,
  selectRunProfile,
  toInputUnit,
  withRun,
} from "../bulk/one-run.js";
import { withRefusals } from "../bulk/refusals.js";
import { showSummary } from "../bulk/summary.js";
import { createPlanLearner } from "../plan/learner.js";

export const resumeRun: Command = {
  name: "resume",
  summary: "Resume an interrupted run",
  description: "The input file is no longer needed. You can also run the original command again.",
  arguments: [runArgument],
  flags: [...groupRunFlags, { name: "dry-run", description: "Show what remains without resuming the run" }],
  examples: [{ command: "voxctl runs resume 2aa82de186e4" }],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const { importAdapterOf, resumeImport } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const run = await selectRunProfile(session, id);
      if (input.on("dry-run") === true) {
        await showOpen(session, run);
        return;
      }
      if (isProvisioning(run)) {
        const { resumeProvisioning } = await import("../../../bulk/provisioning/index.js");
        const work = (context: RunContext) => resumeProvisioning(context, id);
        const result = await withRun(session, input, run, work, { verb: "resume" });
        if ("plan_id" in result) {
          const { showApplied } = await import("../plan/apply.js");
          await showApplied(session, result);
          return;
        }
        const { showProvisioned } = await import("../bulk/provisioning-result.js");
        await showProvisioned(session, result);
        return;
      }
      if (isApply(run)) {
        const { resumeApply } = await import("../../../bulk/plan/index.js");
        const { showApplied } = await import("../plan/apply.js");
        const carryOn = async (context: RunContext) =>
          resumeApply(context, id, { learn: await createPlanLearner(session, context) });
        await showApplied(session, await withRun(session, input, run, carryOn, { verb: "resume" }));
        return;
      }
      const { writeResumedRejects } = await import("../contacts/resumed-rejects.js");
      let rejects: string | undefined;
      const carryOn = (context: RunContext) =>
        resumeImport(context, id, importAdapterOf, async (ended) => {
          rejects = await writeResumedRejects(session, ended);
        });
      const summary = await withRun(session, input, run, carryOn, { verb: "resume" });
      await showSummary(session, summary, { dryRun: false, unit: toInputUnit(run), rejects });
    }),
};

async function showOpen({ notes, output }: Session, run: RunInfo): Promise<void> {
  if (run.state === "finished" || run.state === "undone")
    throw refusedError("run_finished", `run ${run.id} is already ${run.state}`);
  await output.item(run);
  notes.note("Dry run: no changes were made.");
}
