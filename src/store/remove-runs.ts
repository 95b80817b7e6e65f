/** Removes runs from a store. Keeps lists of their writes for audits. */
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { keepFinishedMilliseconds, pathOf } from "../write/journal/folder.js";
import { readRun } from "../write/journal/read.js";
import { type RunWrites, readWrites } from "../write/journal/writes.js";
import { addBlob, listBlobNames, loadBlob } from "./blobs.js";
import { StoreError } from "./errors.js";
import { findSharedRun } from "./list.js";
import { readEntries } from "./log.js";
import type { OpenStore } from "./open.js";
import { rebuildJournal } from "./working-copy.js";

/** Name prefix of blobs with the writes of removed runs. */
const writesPrefix = "audit/";

/**
 * Stores the list of a run's writes. Repeating the call is safe.
 * @returns the number of the run's last entry
 */
export async function keepWritesOf(store: OpenStore, id: string, folder: string): Promise<number> {
  const { connection, sealer } = store;
  const { seq, writes } = await readSharedWrites(store, id, folder);
  if (writes !== undefined)
    await addBlob(connection, sealer, `${writesPrefix}${writes.name}`, await promisify(gzip)(writes.content));
  return seq;
}

export async function listKeptSharedWrites({ connection }: OpenStore): Promise<string[]> {
  return (await listBlobNames(connection, writesPrefix)).map((name) => name.slice(writesPrefix.length));
}

/** @throws StoreError `store_damaged` */
export async function readKeptSharedWrites({ connection, sealer }: OpenStore, name: string): Promise<Buffer> {
  const blob = await loadBlob(connection, sealer, `${writesPrefix}${name}`);
  return blob === undefined ? Buffer.alloc(0) : promisify(gunzip)(blob.content);
}

/**
 * Reads the writes of a run in the store.
 * @param folder directory for a temporary copy of the run
 * @returns the number of the run's last entry, and the writes if the run has sent any
 * @throws StoreError `run_of_other_version`, `store_damaged`
 */
export async function readSharedWrites(
  { connection, sealer }: OpenStore,
  id: string,
  folder: string,
): Promise<{ seq: number; writes?: RunWrites | undefined }> {
  const copy = `${id}-writes`;
  const path = pathOf(folder, copy);
  try {
    const { seq, isEmpty } = await rebuildJournal(path, readEntries(connection, sealer, id));
    return { seq, writes: isEmpty ? undefined : await readRun(folder, copy, readWrites) };
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Removes a run from the store. Keeps the list of the run's writes, unless the run's entries are damaged.
 * @param folder see `readSharedWrites`
 * @throws StoreError `run_busy`, `run_not_found`, `run_of_other_version`
 */
export async function discardSharedRun(store: OpenStore, id: string, folder: string): Promise<void> {
  const { connection } = store;
  const { schema } = connection.address;
  const seq = await keepWritesOf(store, id, folder).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === "store_damaged") return null;
    throw error;
  });
  const rows = await connection.query(
    `DELETE FROM ${schema}.run WHERE id = $1 AND seq = coalesce($2, seq) AND NOT EXISTS
       (SELECT 1 FROM ${schema}.lease WHERE name = 'run/' || $1 AND expires_at > clock_timestamp()) RETURNING id`,
    [id, seq],
  );
  if (rows.length > 0) return;
  if ((await findSharedRun(connection, id)) === undefined)
    throw new StoreError("run_not_found", `run ${id} not found`, { hint: "list runs: `voxctl runs list`" });
  throw new StoreError("run_busy", `another process is using run ${id}`, {
    hint: "wait until that process ends, or stop it",
  });
}

/**
 * Removes runs that finished some time ago and keeps the lists of their writes. Skips runs with unreadable
 * writes.
 * @param folder see `readSharedWrites`
 * @param options.milliseconds minimum time since a run finished (default: 30 days, as without a store)
 * @returns the number of removed runs
 */
export async function removeFinishedRuns(
  store: OpenStore,
  folder: string,
  { milliseconds = keepFinishedMilliseconds, most }: { milliseconds?: number; most: number },
): Promise<number> {
  const { connection } = store;
  const { schema } = connection.address;
  const rows = await connection.query(
    `SELECT id FROM ${schema}.run
     WHERE state IN ('finished', 'undone') AND finished_at < clock_timestamp() - $1::interval
     ORDER BY finished_at LIMIT $2`,
    [`${milliseconds} milliseconds`, most],
  );
  let removed = 0;
  for (const { id } of rows) {
    const seq = await keepWritesOf(store, String(id), folder).catch((error: unknown) => {
      if (error instanceof StoreError && !error.isTransient) return undefined;
      throw error;
    });
    // Another process may have continued the run, for example to undo it.
    const statement = `DELETE FROM ${schema}.run WHERE id = $1 AND seq = $2 RETURNING id`;
    if (seq !== undefined) removed += (await connection.query(statement, [id, seq])).length;
  }
  return removed;
}
