import { chmodSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "../../base/database.js";
import { hasCode } from "../../base/error-code.js";
import { BulkError } from "../errors.js";

export const journalVersion = 3;
const schema = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE items (
    number INTEGER PRIMARY KEY,
    line INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT NOT NULL,
    action TEXT,
    target TEXT,
    body TEXT,
    fingerprint TEXT,
    before TEXT,
    detail TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    input TEXT,
    answer TEXT,
    sent_tick INTEGER NOT NULL DEFAULT 0,
    ended_tick INTEGER
  );
  CREATE INDEX items_open ON items (state, number) WHERE state IN ('planned', 'sent', 'unknown');
  CREATE INDEX items_target ON items (target) WHERE target IS NOT NULL;
  PRAGMA user_version = ${journalVersion};
`;

const upgrades: Readonly<Record<number, string>> = {
  1: "UPDATE items SET state = 'skipped' WHERE state = 'settled'; PRAGMA user_version = 2;",
  2: `
    ALTER TABLE items ADD COLUMN input TEXT;
    ALTER TABLE items ADD COLUMN answer TEXT;
    ALTER TABLE items ADD COLUMN sent_tick INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE items ADD COLUMN ended_tick INTEGER;
    PRAGMA user_version = 3;
  `,
};

/**
 * Number of attempts to open a file, for reading and for a run. Another command may lock the file for a
 * moment. The SQLite driver's own wait would block the process, and the other command may run in this
 * process.
 */
const tries = { read: 20, run: 200 };
const pauseMilliseconds = 10;

/**
 * Opens a run's file and locks it until it is closed.
 * @param options.isRead whether the file is only read. The journal mode then stays unchanged, because a
 * change waits for the disk
 * @throws BulkError `run_busy` if another process has locked the file; `run_not_found` if the file is being
 * removed
 */
export async function openJournalFile(
  path: string,
  options: { create: boolean; durable?: boolean; isRead?: boolean; waits?: boolean },
): Promise<Database> {
  let made: number | undefined;
  if (options.create) {
    // The file contains personal data, so other users must not be able to read it.
    const file = await open(path, "wx", 0o600).catch((error: unknown) => {
      // Another process has created the file since the check.
      throw hasCode(error, "EEXIST") ? busy(error) : error;
    });
    made = (await file.stat()).ino;
    await file.close();
  } else {
    made = fileAt(path);
    if (made === undefined) throw gone();
  }
  const most = options.isRead === true && options.waits !== true ? tries.read : tries.run;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openExclusively(path, made, options);
    } catch (error) {
      if (attempt === most || !(error instanceof BulkError) || error.code !== "run_busy") throw error;
      await pause(pauseMilliseconds);
    }
  }
}

/**
 * @param made the file's inode when it was found
 * @throws BulkError see `openJournalFile`
 */
async function openExclusively(
  path: string,
  made: number | undefined,
  { durable = true, isRead = false }: { durable?: boolean; isRead?: boolean },
): Promise<Database> {
  const database = await openDatabase(path, { busyMilliseconds: 0 });
  try {
    // If the file was removed, opening its path has created a new file. Don't lock the new file.
    if (fileAt(path) !== made) throw gone();
    // SQLite acquires the exclusive lock on the first access and keeps it until the file is closed.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    if (database.transaction(() => isForeign(database)))
      throw new BulkError("run_of_other_version", `${path} is not a voxctl journal`);
    // The file may have been copied with another mode.
    chmodSync(path, 0o600);
    if (!isRead) database.exec("PRAGMA journal_mode = WAL");
    // With NORMAL, a power failure could lose a `sent` mark. The request would then be sent twice.
    database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    database.transaction(() => {
      const readVersion = () => Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
      if (readVersion() === 0) database.exec(schema);
      for (let upgrade = upgrades[readVersion()]; upgrade !== undefined; upgrade = upgrades[readVersion()])
        database.exec(upgrade);
      if (readVersion() !== journalVersion) {
        throw new BulkError("run_of_other_version", `${path} was written by a different version of voxctl`);
      }
    });
    // Another process may have removed the file during the wait. The lock then belongs to the removed file.
    if (fileAt(path) !== made) throw gone();
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw busy(error);
    if (fileAt(path) !== made) throw gone(error);
    throw error;
  }
  return database;
}

/** Returns whether another program created the file, which must then not be changed. A new journal is empty. */
function isForeign(database: Database): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return (
    tables.length > 0 &&
    !["settings", "items"].every((name) => tables.some((table) => table["name"] === name))
  );
}

/**
 * Returns a file's inode; undefined if the file doesn't exist. Synchronous, because each run is checked
 * several times and an asynchronous call takes ten times as long.
 */
function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

export function closeJournalFile(database: Database): void {
  // Leave WAL mode to release the lock. The driver may otherwise keep it until garbage collection.
  if (database.prepare("PRAGMA journal_mode").get()?.["journal_mode"] === "wal")
    database.exec("PRAGMA journal_mode = DELETE");
  database.exec("PRAGMA locking_mode = NORMAL");
  database.prepare("SELECT count(*) FROM settings").get();
  database.close();
}

/**
 * Removes a file while it is locked, then closes it. Processes that wait for the lock then notice the
 * removal.
 */
export async function closeRemovedFile(database: Database, remove: () => Promise<void>): Promise<void> {
  // Leave WAL mode. SQLite would otherwise apply a remaining log to the next file with this name.
  database.exec("PRAGMA journal_mode = DELETE");
  // Some systems can't remove an open file.
  const isRemoved = await remove().then(
    () => true,
    () => false,
  );
  database.close();
  if (!isRemoved) await remove();
}

function gone(cause?: unknown): BulkError {
  return new BulkError("run_not_found", "another process has removed this run", "run the command again", {
    cause,
  });
}

function busy(cause: unknown): BulkError {
  return new BulkError(
    "run_busy",
    "another process is using this run",
    "wait until that process ends, or stop it",
    {
      cause,
    },
  );
}
