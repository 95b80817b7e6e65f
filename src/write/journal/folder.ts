import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findStats } from "../../base/file-target.js";
import { Journal } from "./journal.js";
import { keepWrites } from "./kept-writes.js";
import { removeOrigin } from "./origin.js";

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** Age at which finished runs and their files are removed, because they contain personal data. */
export const keepFinishedMilliseconds = 30 * dayMilliseconds;
const keepLeftMilliseconds = 7 * dayMilliseconds;

export function pathOf(folder: string, id: string): string {
  return join(folder, `${id}.sqlite`);
}

export async function withTemporaryJournal<T>(
  folder: string,
  prefix: string,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const temporary = await mkdtemp(join(folder, prefix));
  try {
    const journal = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    try {
      return await work(journal);
    } finally {
      journal.close();
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Removes a run without undoing its changes.
 * @param options.keepsWrites whether to keep the list of the run's writes for audits
 */
export async function removeRun(
  folder: string,
  { id, journal }: { id: string; journal: Journal },
  { removesResults, keepsWrites }: { removesResults: boolean; keepsWrites: boolean },
): Promise<void> {
  try {
    if (keepsWrites) await keepWrites(folder, journal);
  } catch (error) {
    journal.close();
    throw error;
  }
  await journal.closeRemoved(async () => {
    const path = pathOf(folder, id);
    // Remove the origin file first, because a new run may get the same ID.
    await removeOrigin(folder, id);
    if (removesResults) await rm(resultsPathOf(folder, id), { force: true });
    for (const file of [`${path}-wal`, `${path}-shm`, `${path}-journal`, path])
      await rm(file, { force: true });
  });
}

/**
 * @param options.keepsWrites see `removeRun`
 * @throws BulkError if another process uses the run or has removed it
 */
export async function discardRun(
  folder: string,
  id: string,
  { keepsWrites = true }: { keepsWrites?: boolean } = {},
): Promise<void> {
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  await removeRun(folder, { id, journal }, { removesResults: true, keepsWrites });
}

/**
 * Removes a run if it has changed nothing.
 * @returns whether the run was removed
 * @throws BulkError see `discardRun`
 */
export async function discardWithoutEffect(folder: string, id: string): Promise<boolean> {
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  if (journal.mayHaveEffect()) {
    journal.close();
    return false;
  }
  await removeRun(folder, { id, journal }, { removesResults: true, keepsWrites: true });
  return true;
}

export function resultsPathOf(folder: string, id: string): string {
  return join(folder, `${id}.report.ndjson`);
}

export function findResultsPath(journal: Journal, folder: string, id: string): string {
  const recordedPath = journal.setting("report");
  return typeof recordedPath === "string" ? recordedPath : resultsPathOf(folder, id);
}

/**
 * Removes runs that finished over 30 days ago and their results files, because both contain personal data.
 * Keeps unfinished runs, and the lists of the removed runs' writes.
 */
export async function removeOldRuns(folder: string, now: number): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => []);
  // Use the directory's modification time as the current time, because the file system's clock may differ
  // from this machine's.
  const changedAt = Math.min(now, findStats(folder)?.mtimeMs ?? now);
  for (const name of names) {
    const status = findStats(join(folder, name));
    if (status === undefined) continue;
    if (status.isDirectory()) {
      // Killed processes leave directories with journals and inputs.
      const left = /^(?:dry-run|voxctl)-/.test(name) && changedAt - status.mtimeMs >= keepLeftMilliseconds;
      if (left) await rm(join(folder, name), { recursive: true, force: true });
      continue;
    }
    if (now - status.mtimeMs < keepFinishedMilliseconds) continue;
    const id = /^(.+)\.(?:sqlite|report\.ndjson)$/.exec(name)?.[1];
    if (id === undefined) continue;
    if (!names.includes(`${id}.sqlite`)) {
      await rm(join(folder, name), { force: true });
      continue;
    }
    const journal = await Journal.open(pathOf(folder, id), { create: false }).catch(() => undefined);
    if (journal === undefined) continue;
    const finished = journal.setting("finished_at");
    const old = typeof finished === "number" && now - finished >= keepFinishedMilliseconds;
    // Storing the list of writes can fail, for example because the disk is full. The next command then tries
    // again to remove the run.
    if (old)
      await removeRun(folder, { id, journal }, { removesResults: true, keepsWrites: true }).catch(() => {});
    else journal.close();
  }
}
