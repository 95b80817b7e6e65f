import { type Stats, statSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Journal } from "./journal.js";
import { removeOrigin } from "./origin.js";

const dayMilliseconds = 24 * 60 * 60 * 1000;
const keepFinishedMilliseconds = 30 * dayMilliseconds;
const keepLeftMilliseconds = 7 * dayMilliseconds;

export function pathOf(folder: string, id: string): string {
  return join(folder, `${id}.sqlite`);
}

/** Runs `work` on a temporary journal: of a dry run, or of rows that are only compared. */
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

/** Removes a run and closes its journal. Its changes remain. */
export async function removeRun(
  folder: string,
  { id, journal }: { id: string; journal: Journal },
  { removesResults }: { removesResults: boolean },
): Promise<void> {
  await journal.closeRemoved(async () => {
    const path = pathOf(folder, id);
    // Remove the origin first: once the name of the run is free, another run may use it.
    await removeOrigin(folder, id);
    if (removesResults) await rm(resultsPathOf(folder, id), { force: true });
    for (const file of [`${path}-wal`, `${path}-shm`, `${path}-journal`, path])
      await rm(file, { force: true });
  });
}

/**
 * Removes a run that no process uses.
 * @throws BulkError if another process uses it or has removed it
 */
export async function discardRun(folder: string, id: string): Promise<void> {
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  await removeRun(folder, { id, journal }, { removesResults: true });
}

/**
 * Removes a run that no process uses, if it has sent nothing.
 * @returns whether it was removed
 * @throws BulkError see `discardRun`
 */
export async function discardUnsent(folder: string, id: string): Promise<boolean> {
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  if (journal.hasSent()) {
    journal.close();
    return false;
  }
  await removeRun(folder, { id, journal }, { removesResults: true });
  return true;
}

/** Returns the default path of a run's results file. */
export function resultsPathOf(folder: string, id: string): string {
  return join(folder, `${id}.report.ndjson`);
}

/** Returns the path of a run's results file, which the user may have specified. */
export function findResultsPath(journal: Journal, folder: string, id: string): string {
  const recordedPath = journal.setting("report");
  return typeof recordedPath === "string" ? recordedPath : resultsPathOf(folder, id);
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Removes runs and results files that were finished 30 days ago, because they contain personal data. Keeps
 * unfinished ones.
 */
export async function removeOldRuns(folder: string, now: number): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => []);
  // A file system can have another clock: what a running command has just created is as new as the folder.
  const changedAt = Math.min(now, statusOf(folder)?.mtimeMs ?? now);
  for (const name of names) {
    const status = statusOf(join(folder, name));
    if (status === undefined) continue;
    if (status.isDirectory()) {
      // Leftovers of killed processes: of a dry run, or of an input that was kept while it was read.
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
    if (old) await removeRun(folder, { id, journal }, { removesResults: true });
    else journal.close();
  }
}
