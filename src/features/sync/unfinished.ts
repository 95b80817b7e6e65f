import { BulkError } from "../../write/errors.js";
import { discardWithoutEffect } from "../../write/journal/folder.js";
import { identityOf, type RunIdentity } from "../../write/journal/identity.js";
import { runsInto } from "../../write/journal/list.js";
import { readRun } from "../../write/journal/read.js";
import { findUnfinishedRun } from "../../write/journal/runs.js";

type Target = Pick<RunIdentity, "base_url" | "world" | "group_id">;

interface Unfinished {
  folder: string;
  remark(text: string): void;
}

/** Returns the identity that all sync runs of a group share. Only the last of them can be unfinished. */
export function syncIdentityOf({ group_id, ...service }: Target): RunIdentity {
  return { kind: "apply", ...service, group_id: "", digest: `sync ${group_id}`, options: null };
}

/** @throws BulkError `sync_unfinished` if a sync of the group was interrupted */
export async function assertNoUnfinishedSync(target: Target, options: Unfinished): Promise<void> {
  const run = await findUnfinishedRun(options.folder, syncIdentityOf(target), () => undefined);
  if (run !== undefined) await discardOrRefuse(run.id, options);
}

/**
 * @param ownId ID of the current run
 * @throws BulkError `sync_unfinished` if an import with keys into the group was interrupted
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
 * @throws BulkError `sync_unfinished` if the run has made changes
 */
export async function discardOrRefuse(id: string, { folder, remark }: Unfinished): Promise<void> {
  if (await discardWithoutEffect(folder, id)) {
    remark(`Discarded run ${id}, which was interrupted before its first change`);
    return;
  }
  throw new BulkError(
    "sync_unfinished",
    `the interrupted run ${id} for this group used a different file or different flags`,
    `finish the run with \`voxctl runs resume ${id}\` or revert it with \`voxctl runs undo ${id}\`, then run this command again`,
  );
}
