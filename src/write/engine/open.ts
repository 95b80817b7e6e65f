import { access } from "node:fs/promises";
import { BulkError } from "../errors.js";
import { pathOf, removeOldRuns } from "../journal/folder.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import type { RunInfo } from "../journal/list.js";
import { type OpenRun, openRun } from "../journal/runs.js";
import type { RunContext } from "./context.js";

/** Returns the unfinished run of this identity, or a new one. Deletes runs that are too old. */
export async function openRunOf(
  { folder, machineClock, inProcess, sharedRuns, onStep }: RunContext,
  identity: RunIdentity,
  options: { newRun: boolean; once: boolean; concludes?: boolean },
): Promise<OpenRun> {
  const now = machineClock.now();
  await removeOldRuns(folder, now);
  return openRun({
    ...{ folder, identity, now, durable: !inProcess, shared: sharedRuns !== undefined, onStep },
    ...options,
  });
}

/**
 * Reports an unfinished run of the same file that this one does not resume: it was started before the file
 * was edited, or with other options.
 * @param earlier runs with the same target, the newest first
 */
export function reportUnfinishedRuns(
  { listener }: RunContext,
  earlier: readonly RunInfo[],
  file: string,
): void {
  // Standard input can't be compared with an earlier one.
  if (file === "-") return;
  const before = earlier.find((run) => run.state === "unfinished" && run.file === file);
  if (before !== undefined) listener.unfinishedRun(before.id);
}

/**
 * Opens a run by its id and keeps it locked.
 * @throws BulkError if the run doesn't exist or another process uses it
 */
export async function openRunById(
  {
    folder,
    inProcess,
    sharedRuns,
    onStep,
  }: Pick<RunContext, "folder" | "inProcess" | "sharedRuns" | "onStep">,
  id: string,
): Promise<{ journal: Journal; identity: RunIdentity }> {
  const path = pathOf(folder, id);
  const isKnownRun = /^[a-z0-9-]+$/.test(id) && (await exists(path));
  if (!isKnownRun)
    throw new BulkError("run_not_found", `run ${id} not found`, "list runs: `voxctl runs list`");
  const journal = await Journal.open(path, {
    ...{ create: false, durable: !inProcess, shared: sharedRuns !== undefined, onStep },
  });
  const identity = identityOf(journal);
  if (identity !== undefined) return { journal, identity };
  journal.close();
  throw new BulkError("run_not_found", `run ${id} was not started`, "run its command again");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Opens a run by its id to resume it.
 * @throws BulkError if it is finished, was not started, or has another target
 */
export async function openUnfinished(
  context: RunContext,
  id: string,
): Promise<OpenRun & { identity: RunIdentity }> {
  const { journal, identity } = await openRunById(context, id);
  try {
    if (journal.setting("undone_at") !== undefined) {
      throw new BulkError(
        "run_finished",
        `run ${id} was undone; nothing is left to do`,
        "to repeat it, run its command again",
      );
    }
    if (journal.setting("finished_at") !== undefined) {
      throw new BulkError("run_finished", `run ${id} is finished; nothing is left to do`);
    }
    if (journal.setting("planned_at") === undefined) {
      throw new BulkError(
        "run_not_planned",
        `run ${id} ended before it sent a request`,
        "run its command again",
      );
    }
    checkTarget(context, identity, journal.setting("profile"));
    return { id, journal, identity, resumed: true };
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** @throws BulkError if the run used another service, or the emulator was reset since then */
export function checkTarget(
  { baseUrl, requestStats }: RunContext,
  identity: RunIdentity,
  profile: unknown,
): void {
  if (identity.base_url === baseUrl && identity.world === requestStats.emulatorId) return;
  const hint =
    typeof profile === "string" ? `it was made with the profile ${profile}: --profile ${profile}` : undefined;
  if (identity.base_url !== baseUrl) {
    throw new BulkError("run_elsewhere", `that run was with ${identity.base_url}, not ${baseUrl}`, hint);
  }
  throw new BulkError(
    "run_elsewhere",
    "that run used another emulator state: the emulator was reset or restored since then",
    "to remove the run, use `voxctl runs discard`",
  );
}
