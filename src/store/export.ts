/** Exports runs from a store as local journals. Reading them requires no store. */
import { lstat } from "node:fs/promises";
import { BulkError } from "../write/errors.js";
import { pathOf } from "../write/journal/folder.js";
import { StoreError } from "./errors.js";
import { listSharedRuns } from "./list.js";
import { readEntries } from "./log.js";
import type { OpenStore } from "./open.js";
import { rebuildJournal } from "./working-copy.js";

/**
 * Exports all runs that are not in progress.
 * @returns the IDs of the exported runs; runs without a plan are omitted
 * @throws BulkError `file_exists`
 */
export async function exportIdleRuns(store: OpenStore, folder: string): Promise<string[]> {
  const runs = await listSharedRuns(store.connection);
  return writeJournals(
    store,
    runs.filter(({ state }) => state !== "running").map(({ id }) => id),
    folder,
  );
}

/**
 * Exports one run or all runs, each to a decrypted SQLite file that only the owner can read.
 * @param id run to export; undefined for all runs
 * @returns the IDs of the exported runs; runs without a plan are omitted
 * @throws StoreError `run_not_found`; BulkError `file_exists`
 */
export async function exportRuns(
  store: OpenStore,
  id: string | undefined,
  folder: string,
): Promise<string[]> {
  const ids = (await listSharedRuns(store.connection))
    .map((run) => run.id)
    .filter((runId) => id === undefined || runId === id);
  if (id !== undefined && ids.length === 0)
    throw new StoreError("run_not_found", `run ${id} not found`, { hint: "list runs: `voxctl runs list`" });
  return writeJournals(store, ids, folder);
}

async function writeJournals(
  { connection, sealer }: OpenStore,
  ids: readonly string[],
  folder: string,
): Promise<string[]> {
  const exported: string[] = [];
  for (const run of ids) {
    const path = pathOf(folder, run);
    if (await exists(path)) throw new BulkError("file_exists", `${path} already exists`);
    const { isEmpty } = await rebuildJournal(path, readEntries(connection, sealer, run));
    if (!isEmpty) exported.push(run);
  }
  return exported;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
