import type { RunContext } from "../../bulk/engine/run.js";
import type { RunInfo } from "../../bulk/journal/list.js";
import { withBulkRun } from "../bulk-run.js";
import type { Argument, Command, CommandGroup, Flag, Input } from "../command.js";
import { CliError, exits, refusedError, usageError } from "../errors.js";
import { parseCount, parseDuration } from "../globals.js";
import type { View } from "../output/output.js";
import type { InputUnit } from "../rejected-rows.js";
import type { Session } from "../session.js";
import { placeText } from "./import/run.js";
import { importPlace, runsFolder, showSummary, withRefusals } from "./import/session.js";

const runArgument: Argument = { name: "run", description: "the run's id, as runs list shows it" };
const settleFlag: Flag = {
  name: "settle",
  value: "duration",
  description: "how long a request whose answer was lost may still arrive",
  default: "0s in process, 2s on this machine, else 30s",
};

const view: View = {
  columns: [
    { header: "RUN", value: "id", keep: true },
    { header: "STATE", value: "state", as: "status", keep: true },
    { header: "KIND", value: "kind", optional: true },
    { header: "FILE", value: "file" },
    { header: "GROUP", value: "group" },
    { header: "PROFILE", value: "profile" },
    { header: "DONE", value: "done", keep: true, align: "right" },
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
    const { listRuns } = await import("../../bulk/runs.js");
    const asked = input.text("limit");
    if (asked !== undefined && input.on("all")) throw usageError("--limit and --all exclude each other");
    const limit = input.on("all") ? Number.POSITIVE_INFINITY : parseCount(asked ?? "50", "--limit");
    const found = await listRuns(runsFolder(session));
    await session.output.list(found.slice(0, limit), { ...view, more: () => found.length > limit });
  },
};

const show: Command = {
  name: "show",
  summary: "Show what is known of a run",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs show 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { runInfo } = await import("../../bulk/runs.js");
      const [id = ""] = input.arguments;
      await assertExists(session, id);
      await session.output.item(await runInfo(runsFolder(session), id));
    }),
};

const resume: Command = {
  name: "resume",
  summary: "Go on with an import that was interrupted",
  description: "The file is not needed any more. Giving the import's own command again does the same.",
  arguments: [runArgument],
  flags: [settleFlag],
  examples: [{ command: "voxctl runs resume 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { requestsOf, resumeImport } = await import("../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const run = await useProfileOf(session, id);
      const summary = await inRun(session, input, run, (context) =>
        resumeImport(context, id, (kind) => requestsOf(kind, context.client)),
      );
      await showSummary(session, summary, { dryRun: false, unit: unitOf(run) });
    }),
};

const discard: Command = {
  name: "discard",
  summary: "Forget a run",
  description: "What it wrote stays written; it can be neither gone on with nor undone any more.",
  arguments: [runArgument],
  examples: [{ command: "voxctl runs discard 2aa82de186e4 --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { removeRun, runInfo } = await import("../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const folder = runsFolder(session);
      await assertExists(session, id);
      if ((await runInfo(folder, id)).state === "running") {
        throw refusedError(`the run ${id} is under way in another process; nothing was done`);
      }
      await confirmLocally(session, `Forget the run ${id}? It can't be gone on with or undone then.`);
      await removeRun(folder, id, { report: true });
      await session.output.item({ id, deleted: true });
    }),
};

const undo: Command = {
  name: "undo",
  summary: "Delete what a run created and restore what it updated",
  description:
    "What somebody changed since is left alone and listed in the report. A group that the run made is deleted, too, if " +
    "nothing else is in it and no assistant uses it; others stay. An undo that was interrupted goes on when it is " +
    "given again.",
  arguments: [runArgument],
  flags: [settleFlag],
  examples: [{ command: "voxctl runs undo 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const { reversibleOf, undoRun } = await import("../../bulk/runs.js");
      const [id = ""] = input.arguments;
      const run = await useProfileOf(session, id);
      await session.assertConfirmable();
      await session.confirm(
        `Undo the run ${id}, ${run.file} into the group "${run.group}" of profile ${run.profile}?`,
      );
      const summary = await inRun(session, input, run, (context) =>
        undoRun(context, id, (kind, groupId) => reversibleOf(kind, context.client, groupId)),
      );
      await session.output.item(summary);
      const { unknown, failed, changed_since, gone, report, group_kept } = summary;
      if (group_kept !== null)
        session.notes.note(
          `the group "${group_kept}", which the run had made, stays: it was changed, or is in use`,
        );
      if (unknown + failed > 0) {
        throw new CliError({
          exit: unknown > 0 ? exits.unknown : exits.partlyDone,
          code: unknown > 0 ? "outcome_unknown" : "partly_done",
          message: `${unknown + failed} could not be undone`,
          outcome: unknown > 0 ? "unknown" : "done",
          hint: `they are listed in ${report}`,
        });
      }
      if (changed_since + gone > 0)
        session.notes.note(`left alone, and listed in ${report}: ${changed_since + gone}`);
    }),
};

export const runs: CommandGroup = {
  name: "runs",
  summary: "Bulk runs: what they did, going on with them, undoing them",
  commands: [list, show, resume, discard, undo],
};

async function inRun<T>(
  session: Session,
  input: Input,
  run: RunInfo,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  const settle = input.text("settle");
  const settleMilliseconds = settle === undefined ? undefined : parseDuration(settle, "--settle");
  const place = await importPlace(session, runsFolder(session), { dryRun: false });
  session.notes.note(`run ${run.id}: ${run.file} → group "${run.group}" of ${placeText(place)}`);
  return withBulkRun(place, { settleMilliseconds, unit: unitOf(run) }, async (context) => {
    // Its answer names an emulator's world: the run must be of the same.
    await context.client.call("ping", {}, { signal: session.signal });
    return work(context);
  });
}

function unitOf({ kind }: RunInfo): InputUnit {
  return kind?.startsWith("knowledge") ? "file" : "row";
}

/** A run goes on where it was made, unless another profile was asked for. */
async function useProfileOf(session: Session, id: string): Promise<RunInfo> {
  const { runInfo } = await import("../../bulk/runs.js");
  await assertExists(session, id);
  const run = await runInfo(runsFolder(session), id);
  const { profile } = run;
  const asked = session.flags.profile !== undefined || session.io.env.VOXCTL_PROFILE !== undefined;
  // `environment` is no profile that has a name to be called by.
  if (!asked && profile !== null && profile !== "environment") await session.profile(profile);
  return run;
}

/** @throws CliError (4) when there is no such run */
async function assertExists(session: Session, id: string): Promise<void> {
  const { listRuns } = await import("../../bulk/runs.js");
  const known = (await listRuns(runsFolder(session))).some((run) => run.id === id);
  if (known) return;
  throw new CliError({
    exit: exits.notFound,
    code: "run_not_found",
    message: `there is no run ${id}`,
    hint: "voxctl runs list shows those there are",
  });
}

/** Concerns nothing but files of this machine, so the profile has no say. */
async function confirmLocally({ flags, prompts }: Session, message: string): Promise<void> {
  if (flags.yes) return;
  if (!prompts.available) throw refusedError("nobody is there to ask; nothing was done", "--yes confirms it");
  if (!(await prompts.confirm({ message, default: false })))
    throw refusedError("not confirmed; nothing was done");
}
