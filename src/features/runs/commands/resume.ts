import { finalCheckFlag, groupRunFlags } from "../../../cli/bulk/bulk-flags.js";
import { runArgument, selectRunProfile, toInputUnit, withRun } from "../../../cli/bulk/one-run.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { findResumeCommand } from "../../../cli/bulk/resume-command.js";
import { showSummary } from "../../../cli/bulk/summary.js";
import { refusedError, usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { createImportKeysResumer, createPlanLearner } from "../../plans/commands/learner.js";
import { toShown } from "./list.js";

export const resumeRun: Command = {
  name: "resume",
  summary: "Resume an interrupted run",
  description:
    "Continues without the input file. You can also run the original command again. A resumed run was already confirmed, so it requires no confirmation, not even in a production profile.",
  arguments: [runArgument],
  flags: [
    ...groupRunFlags,
    finalCheckFlag,
    { name: "dry-run", description: "Show the remaining steps, but don't resume the run" },
  ],
  examples: [{ command: "voxctl runs resume 2aa82de186e4" }],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const [id = ""] = input.arguments;
      const run = await selectRunProfile(session, id);
      if (run.kind?.startsWith("fleet") === true)
        throw usageError(`run ${id} is a fleet run`, {
          hint: `to resume it, run \`${await findResumeCommand(run)}\``,
        });
      if (input.on("dry-run") === true) {
        await showOpen(session, run);
        return;
      }
      const resume = resumers[run.kind ?? ""] ?? resumeImported;
      const show = await withRun(session, input, run, (context) => resume(session, context, run), {
        verb: "resume",
      });
      await show();
    }),
};

/** Returns a function that shows the run's result. */
type Resume = (session: Session, context: RunContext, run: RunInfo) => Promise<() => Promise<void>>;

const resumers: Readonly<Record<string, Resume>> = {
  async provisioning(session, context, run) {
    const { readProvisioned, resumeProvisioning } = await import("../../provision/index.js");
    const summary = await resumeProvisioning(context, run);
    if (run.command === null) return () => showPlanResult(session, summary);
    const { showProvisioned } = await import("../../../cli/bulk/provisioning-result.js");
    const result = await readProvisioned(context, summary);
    return () => showProvisioned(session, result);
  },
  async apply(session, context, { id }) {
    const { resumeApply } = await import("../../../write/plan/index.js");
    const summary = await resumeApply(context, id, { learn: await createPlanLearner(session, context) });
    return () => showPlanResult(session, summary);
  },
};

const resumeImported: Resume = async (session, context, run) => {
  const { resumeImport } = await import("../index.js");
  const { writeResumedRejects } = await import("../../import/commands/resumed-rejects.js");
  let rejects: string | undefined;
  const summary = await resumeImport(context, run.id, {
    resumeKeys: await createImportKeysResumer(session, context),
    async ended(finished) {
      rejects = await writeResumedRejects(session, finished);
    },
  });
  return () => showSummary(session, summary, { dryRun: false, unit: toInputUnit(run), rejects });
};

async function showPlanResult(session: Session, summary: WriteSummary): Promise<void> {
  const { showApplied } = await import("../../plans/commands/applied.js");
  await showApplied(session, summary);
}

async function showOpen({ notes, output }: Session, run: RunInfo): Promise<void> {
  if (run.state === "finished" || run.state === "undone")
    throw refusedError("run_finished", `run ${run.id} is already ${run.state}`);
  await output.item(toShown(run));
  notes.note("Dry run: no changes were made.");
}
