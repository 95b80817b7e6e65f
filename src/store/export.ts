/** Exports runs from a store as local journals, which need no store. */
import { lstat } from "node:fs/promises";
import { BulkError } from "../write/errors.js";
import { pathOf } from "../write/journal/folder.js";
import { StoreError } from "./errors.js";
import { listSharedRuns } from "./list.js";
import { readEntries } from "./log.js";
import type { OpenStore } from "./open.js";
import { rebuildJournal } from "./working-copy.js";

/**
 * Writes one or all runs to a directory, each as a decrypted SQLite file that only the owner can read.
 * @returns the ids of the exported runs; omits runs without a plan
 * @throws StoreError `run_not_found`; BulkError `file_exists`
 */
export async function exportRuns(
  store: OpenStore,
  id: string | undefined,
  folder: string,
): Promise<string[]> {
  const { connection, sealer } = store;
  const all = (await listSharedRuns(connection)).map((run) => run.id);
  const ids = all.filter((other) => id === undefined || other === id);
  if (id !== undefined && ids.length === 0)
    throw new StoreError("run_not_found", `run ${id} not found`, { hint: "list runs: `voxctl runs list`" });
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
