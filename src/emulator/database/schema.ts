import type { Database } from "../../base/database.js";
import { wholeSchema } from "../../generated/whole-schema.js";
import type { Sealing } from "../kernel/secrets.js";
import { currentVersion, runMigrations } from "./migrations.js";

/** "voxc": says in the file's header whose it is. */
const applicationId = 0x766f7863;

/** Thrown when a file can't be used; it is left as it was. */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}

/**
 * Looks whether the file is one of ours, or empty, without changing anything in it.
 * @throws UnusableFileError when a newer voxctl wrote it, or something else did
 */
export function assertUsable(database: Database, path: string): void {
  let tables: number;
  try {
    tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"] ?? 0);
  } catch (error) {
    if (!(error instanceof Error && /not a database/i.test(error.message))) throw error;
    throw new UnusableFileError(`${path} is no database; give another file`, { cause: error });
  }
  if (tables > 0 && pragma(database, "application_id") !== applicationId) {
    throw new UnusableFileError(`${path} is a database, but not one of voxctl's emulator; give another file`);
  }
  const version = pragma(database, "user_version");
  if (version > currentVersion) {
    throw new UnusableFileError(
      `${path} was written by a newer voxctl (format ${version}, this one knows ${currentVersion}); update voxctl or give another file`,
    );
  }
}

/**
 * Brings the file's tables to this version.
 * @param sealing encrypts what older versions kept in the clear
 * @param target an older version, to make a file as an older voxctl left it
 */
export function migrate(database: Database, sealing: Sealing, target = currentVersion): void {
  if (pragma(database, "user_version") >= target) return;
  const isOlder = pragma(database, "user_version") > 0;
  // Plain text of secrets must not stay behind in the file's free space.
  if (isOlder) database.exec("PRAGMA secure_delete = ON");
  // A rebuilt table is dropped first, and no rows may be deleted with it. Can't be set within a transaction.
  database.exec("PRAGMA foreign_keys = OFF");
  database.transaction(() => {
    // Read again inside the transaction: another process may have done it in between.
    const version = pragma(database, "user_version");
    // The migrations take five times as long, since they make some tables three times.
    if (version === 0 && target === currentVersion) database.exec(wholeSchema);
    else runMigrations(database, sealing, version, target);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${target}`);
  });
  database.exec("PRAGMA foreign_keys = ON");
  if (isOlder) cleanUp(database);
}

/** Gives back the space of what was deleted before, with what it held. */
function cleanUp(database: Database): void {
  database.exec("PRAGMA secure_delete = OFF");
  try {
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Another process has it open: plain text is overwritten already, as far as it was in use.
  }
}

function pragma(database: Database, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
