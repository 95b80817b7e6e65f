import { chmodSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Database, openDatabase } from "../../base/database.js";
import { BulkError } from "../errors.js";

/** Version of the file. */
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
  CREATE INDEX items_lost ON items (fingerprint, number) WHERE state = 'unknown';
  CREATE INDEX items_target ON items (target) WHERE target IS NOT NULL;
  PRAGMA user_version = ${journalVersion};
`;

/** The statements that migrate a file of the previous version. */
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
 * Wait for a command that inspects a run, which locks its file for some milliseconds. This is separate from
 * the SQLite driver's wait, which blocks the process: the command may run in this process (in an MCP server,
 * for example).
 */
const tries = 20;
const pauseMilliseconds = 10;

/**
 * Opens the file of a run and locks it until it is closed.
 * @throws BulkError `run_busy` if another process has locked it, `run_not_found` if it is being removed
 */
export async function openJournalFile(
  path: string,
  options: { create: boolean; durable?: boolean },
): Promise<Database> {
  let made: number | undefined;
  if (options.create) {
    // The file contains personal data: other users must not be able to read it.
    const file = await open(path, "wx", 0o600).catch((error: unknown) => {
      // Another process created it in the meantime.
      throw error instanceof Error && "code" in error && error.code === "EEXIST" ? busy(error) : error;
    });
    made = (await file.stat()).ino;
    await file.close();
  } else {
    try {
      chmodSync(path, 0o600);
    } catch (error) {
      throw isMissing(error) ? gone(error) : error;
    }
    made = fileAt(path);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openExclusively(path, made, options.durable !== false);
    } catch (error) {
      if (attempt === tries || !(error instanceof BulkError) || error.code !== "run_busy") throw error;
      await pause(pauseMilliseconds);
    }
  }
}

/**
 * @param made inode of the expected file
 * @throws BulkError see `openJournalFile`
 */
async function openExclusively(path: string, made: number | undefined, durable: boolean): Promise<Database> {
  const database = await openDatabase(path, { busyMilliseconds: 0 });
  try {
    // The file was removed, and opening created it again: close it before it is locked.
    if (fileAt(path) !== made) throw gone();
    // The exclusive lock is acquired on the first access and lasts as long as the connection.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    // Without this, a power failure could lose a `sent` mark, and the item would be written twice.
    database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    database.transaction(() => {
      const readVersion = () => Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
      if (readVersion() === 0) database.exec(schema);
      for (let upgrade = upgrades[readVersion()]; upgrade !== undefined; upgrade = upgrades[readVersion()])
        database.exec(upgrade);
      if (readVersion() !== journalVersion) {
        throw new BulkError("run_of_other_version", `${path} was written by another version of voxctl`);
      }
    });
    // A process that waited for a lock may have got the lock of a removed file.
    if (fileAt(path) !== made) throw gone();
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw busy(error);
    if (fileAt(path) !== made) throw gone(error);
    throw error;
  }
  return database;
}

/**
 * Returns the inode of the file; undefined if it doesn't exist. Synchronous, because each run of a directory
 * is checked several times and awaiting costs ten times as much.
 */
function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Closes the file. */
export function closeJournalFile(database: Database): void {
  // Releases the lock at once: the driver may keep the connection until its statements are garbage-collected.
  // The lock can be released only outside of WAL mode.
  database.exec("PRAGMA journal_mode = DELETE");
  database.exec("PRAGMA locking_mode = NORMAL");
  database.prepare("SELECT count(*) FROM settings").get();
  database.close();
}

/**
 * Closes a file that `remove` deletes, while it is locked: a waiting process then sees it as deleted and
 * can't write to it.
 */
export async function closeRemovedFile(database: Database, remove: () => Promise<void>): Promise<void> {
  // SQLite would use a remaining log for the next file of this name.
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
  return new BulkError("run_busy", "another process is using this run", "wait until it ends, or stop it", {
    cause,
  });
}
