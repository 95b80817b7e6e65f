import { access } from "node:fs/promises";
import { BulkError } from "../errors.js";
import { pathOf, removeOldRuns } from "../journal/folder.js";
import { identityOf, isSameService, type RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import type { RunInfo } from "../journal/list.js";
import { type OpenRun, openRun } from "../journal/runs.js";
import { undoneRunOf } from "../journal/undo-id.js";
import type { RunContext } from "./context.js";

/** Opens the unfinished run with this identity, or starts a new run. Also removes old runs. */
export async function openRunOf(
  { folder, machineClock, inProcess, sharedRuns, onStep }: RunContext,
  identity: RunIdentity,
  options: { newRun: boolean; once: boolean; concludes?: boolean },
): Promise<OpenRun> {
  const now = machineClock.now();
  // With a shared store, this directory contains only copies. The store removes old runs itself.
  if (sharedRuns === undefined) await removeOldRuns(folder, now);
  return openRun({
    ...{ folder, identity, now, durable: !inProcess, shared: sharedRuns !== undefined, onStep },
    ...options,
  });
}

/**
 * Reports an unfinished run of the same file, or an unfinished undo of such a run, because the current command
 * resumes neither.
 * @param earlier runs with the same target, newest first
 */
export function reportUnfinishedRuns(
  { listener }: RunContext,
  earlier: readonly RunInfo[],
  file: string,
): void {
  // Standard input may have different content now.
  if (file === "-") return;
  const before = earlier.find((run) => run.state === "unfinished" && run.file === file);
  if (before === undefined) return;
  const undone = undoneRunOf(before.id);
  if (undone === undefined) listener.unfinishedRun(before.id);
  else listener.unfinishedUndo(undone);
}

/**
 * Opens and locks a run.
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
  throw new BulkError("run_not_found", `run ${id} was never started`, "run the original command again");
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** @throws BulkError if the run is finished, has sent no requests or has a different target */
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
        "to make the changes again, run the original command again",
      );
    }
    if (journal.setting("finished_at") !== undefined) {
      throw new BulkError("run_finished", `run ${id} is finished; nothing is left to do`);
    }
    if (journal.setting("planned_at") === undefined) {
      throw new BulkError(
        "run_not_planned",
        `run ${id} ended before it sent any requests`,
        "run the original command again",
      );
    }
    checkTarget(context, { id, journal, identity });
    return { id, journal, identity, resumed: true };
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** @throws BulkError if the run used a different service, or if the emulator was reset since then */
export function checkTarget(
  { baseUrl, profile, requestStats }: RunContext,
  { id, journal, identity }: { id: string; journal: Journal; identity: RunIdentity },
): void {
  if (isSameService(identity, { base_url: baseUrl, world: requestStats.emulatorId })) return;
  const used = journal.setting("profile");
  const hint = typeof used === "string" ? `use the run's profile: --profile ${used}` : undefined;
  if (identity.base_url !== baseUrl) {
    throw new BulkError(
      "run_elsewhere",
      `the run used ${identity.base_url}, but the current profile uses ${baseUrl}`,
      hint,
    );
  }
  if (typeof used === "string" && used !== profile) {
    throw new BulkError(
      "run_elsewhere",
      "the run used a different emulator, or the emulator was reset or restored after the run",
      hint,
    );
  }
  throw new BulkError(
    "run_elsewhere",
    "the emulator was reset or restored after the run",
    `to remove the run, run \`voxctl runs discard ${id}\``,
  );
}
