import { readdir } from "node:fs/promises";
import { BulkError } from "../errors.js";
import { pathOf } from "./folder.js";
import { Journal } from "./journal.js";

/** An open journal. Requesting the next journal closes it. */
interface OpenJournal {
  id: string;
  journal: Journal;
}

export async function listRunIds(folder: string): Promise<string[]> {
  const names: string[] = await readdir(folder).catch(() => []);
  return names.flatMap((name) => /^(.+)\.sqlite$/.exec(name)?.[1] ?? []);
}

/**
 * Opens journals one after another. Skips journals that another process has just removed.
 * @param refused called for a journal that can't be opened; throws by default
 * @param options.waits whether to wait as long for a locked journal as a run does
 * @throws BulkError `run_busy` if another process uses a run
 */
export async function* eachJournal(
  folder: string,
  ids: Iterable<string>,
  refused: (id: string, error: unknown) => Promise<void> | void = (_, error) => {
    throw error;
  },
  options: { waits?: boolean } = {},
): AsyncGenerator<OpenJournal, void> {
  for (const id of ids) {
    let journal: Journal;
    try {
      journal = await Journal.open(pathOf(folder, id), { ...options, create: false, isRead: true });
    } catch (error) {
      if (!(error instanceof BulkError) || error.code !== "run_not_found") await refused(id, error);
      continue;
    }
    try {
      yield { id, journal };
    } finally {
      journal.close();
    }
  }
}

/**
 * @returns undefined if no such run exists
 * @throws BulkError `run_busy` if another process uses the run
 */
export async function readRun<T>(
  folder: string,
  id: string,
  read: (journal: Journal) => T,
): Promise<T | undefined> {
  for await (const { journal } of eachJournal(folder, [id])) return read(journal);
  return undefined;
}
