import type { RunContext } from "../../../bulk/engine/context.js";
import type { RunInfo } from "../../../bulk/journal/list.js";
import { refusedError, usageError } from "../../errors/errors.js";
import type { View } from "../../output/output.js";
import type { Command, CommandGroup } from "../../session/command.js";
import { confirmLocally } from "../../session/confirm.js";
import { parseCount } from "../../session/globals.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import {
  assertExists,
  inRun,
  isApply,
  isProvisioning,
  runArgument,
  unitOf,
  useProfileOf,
} from "../bulk/one-run.js";
import { runsFolder, showSummary, withRefusals } from "../bulk/session.js";
import { undo } from "./undo.js";

const view: View = {
  columns: [
    { header: "RUN", value: "id", keep: true },
    { header: "STATE", value: "state", as: "status", keep: true },
    { header: "KIND", value: "kind", optional: true },
    { header: "FILE", value: "file" },
    { header: "GROUP", value: "group" },
    { header: "PROFILE", value: "profile" },
    { header: "DONE", value: "done", keep: true, align: "right" },
    { header: "FAILED", value: "failed", keep: true, align: "right" },
    { header: "OPEN", value: "open", keep: true, align: "right" },
    { header: "STARTED", value: "started_at", as: "time" },
  ],
  empty: "no runs",
};

const list: Command = {
  name: "list",
  summary: "List bulk runs, the newest first",
  description: "Finished ones are kept for 30 days.",
  flags: [
    { name: "limit", value: "n", description: "show no more than this many", default: "50" },
    { name: "all", description: "show all" },
  ],
  examples: [{ command: "voxctl runs list" }, { command: "voxctl runs list --limit 5 -o json" }],
  async run(session, input) {
    const { listRuns } = await import("../../../bulk/runs.js");
    const asked = input.text("limit");
    if (asked !== undefined && input.on("all")) throw usageError("--limit and --all exclude each other");
    const limit = input.on("all") ? Number.POSITIVE_INFINITY : parseCount(asked ?? "50", "--limit");
    const found = await listRuns(runsFolder(session));
    await session.output.list(found.slice(0, limit), {
      ...view,
      more: () => (found.length > limit ? "certain" : "none"),
    });
  },
};

const show: Command = {
  name: "show",
  summary: "Show what is known of a run",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs show 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { runInfo } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      await assertExists(session, id);
      await session.output.item(await runInfo(runsFolder(session), id));
    }),
};

const resume: Command = {
  name: "resume",
  summary: "Go on with a run that was interrupted",
  description: "The file is not needed any more. Giving the run's own command again does the same.",
  arguments: [runArgument],
  flags: [
    ...groupRunFlags,
    { name: "dry-run", description: "print how much is done and left instead of going on" },
  ],
  examples: [{ command: "voxctl runs resume 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { importAdapterOf, resumeImport } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const run = await useProfileOf(session, id);
      if (input.on("dry-run") === true) {
        await showOpen(session, run);
        return;
      }
      if (isProvisioning(run)) {
        const { resumeProvisioning } = await import("../../../bulk/provisioning/index.js");
        const { showProvisioned } = await import("../bulk/provisioning-result.js");
        await showProvisioned(
          session,
          await inRun(session, input, run, (context) => resumeProvisioning(context, id), { verb: "resume" }),
        );
        return;
      }
      if (isApply(run)) {
        const { resumeApply } = await import("../../../bulk/plan/index.js");
        const { showApplied } = await import("../plan/apply.js");
        const carryOn = (context: RunContext) => resumeApply(context, id);
        await showApplied(session, await inRun(session, input, run, carryOn, { verb: "resume" }));
        return;
      }
      const summary = await inRun(
        session,
        input,
        run,
        (context) => resumeImport(context, id, importAdapterOf),
        { verb: "resume" },
      );
      await showSummary(session, summary, { dryRun: false, unit: unitOf(run) });
    }),
};

async function showOpen({ notes, output }: Session, run: RunInfo): Promise<void> {
  if (run.state === "finished" || run.state === "undone")
    throw refusedError(`the run ${run.id} is ${run.state}; nothing is left to do`);
  await output.item(run);
  notes.note("dry run: nothing was sent");
}

const discard: Command = {
  name: "discard",
  summary: "Forget a run",
  description: "What it wrote stays written; it can be neither gone on with nor undone any more.",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs discard 2aa82de186e4 --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { discardRun, runInfo } = await import("../../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const folder = runsFolder(session);
      await assertExists(session, id);
      if ((await runInfo(folder, id)).state === "running") {
        throw refusedError(`the run ${id} is under way in another process; nothing was done`);
      }
      await confirmLocally(session, `Forget the run ${id}? It can't be gone on with or undone then.`);
      await discardRun(folder, id);
      await session.output.item({ id, deleted: true });
    }),
};

export const runs: CommandGroup = {
  name: "runs",
  summary: "Bulk runs: what they did, going on with them, undoing them",
  commands: [list, show, resume, discard, undo],
};
