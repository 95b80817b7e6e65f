/**
 * Handles interrupted runs whose results are not yet in their group's key map. They must be finished before the next
 * run starts.
 */
import { BulkError } from "../../write/errors.js";
import { discardWithoutEffect } from "../../write/journal/folder.js";
import { identityOf, type RunIdentity } from "../../write/journal/identity.js";
import { runsInto } from "../../write/journal/list.js";
import { readRun } from "../../write/journal/read.js";
import { findUnfinishedRun } from "../../write/journal/runs.js";

/** A group on a service. */
type Target = Pick<RunIdentity, "base_url" | "world" | "group_id">;

interface Unfinished {
  /** Directory of the runs. */
  folder: string;
  remark(text: string): void;
}

/** Returns the identity of a group's sync runs. Only the last of these runs can be unfinished. */
export function syncIdentityOf({ group_id, ...service }: Target): RunIdentity {
  return { kind: "apply", ...service, group_id: "", digest: `sync ${group_id}`, options: null };
}

/**
 * Throws if a sync of the group was interrupted.
 * @throws BulkError `sync_unfinished`
 */
export async function assertNoUnfinishedSync(target: Target, options: Unfinished): Promise<void> {
  const run = await findUnfinishedRun(options.folder, syncIdentityOf(target), () => undefined);
  if (run !== undefined) await discardOrRefuse(run.id, options);
}

/**
 * Throws if an import with keys into the group was interrupted.
 * @param ownId ID of the current run
 * @throws BulkError `sync_unfinished`
 */
export async function assertNoUnfinishedImport(
  target: Target,
  ownId: string,
  options: Unfinished,
): Promise<void> {
  const { folder } = options;
  const identity = { ...target, kind: "contacts", digest: "", options: null };
  for (const { id, state } of await runsInto(folder, identity, ownId))
    if (state === "unfinished" && (await isInterruptedImport(folder, id, target)))
      await discardOrRefuse(id, options);
}

async function isInterruptedImport(folder: string, id: string, { world }: Target): Promise<boolean> {
  const isInterrupted = await readRun(folder, id, (journal) => {
    const isPlanned = journal.setting("planned_at") !== undefined;
    return isPlanned && journal.setting("keys") !== undefined && identityOf(journal)?.world === world;
  });
  return isInterrupted === true;
}

/**
 * Discards a run that was interrupted before its first change.
 * @throws BulkError `sync_unfinished` for any other run
 */
export async function discardOrRefuse(id: string, { folder, remark }: Unfinished): Promise<void> {
  if (await discardWithoutEffect(folder, id)) {
    remark(`Discarded run ${id}, which was interrupted before its first change`);
    return;
  }
  throw new BulkError(
    "sync_unfinished",
    `run ${id} for this group was interrupted and used a different file or different flags`,
    `finish it with \`voxctl runs resume ${id}\` or revert it with \`voxctl runs undo ${id}\`, then run this command again`,
  );
}
