import type { Database } from "../../base/database.js";
import { schemaVersion, wholeSchema } from "../../generated/whole-schema.js";
import type { Sealing } from "../kernel/secrets.js";
import { type Migration, runMigrations } from "./migrations.js";

/** Application ID "voxc" in the header of every database file. */
const applicationId = 0x766f7863;

/** Thrown if a file can't be used. The file was not changed. */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
  /** If true, a reset can replace the file. */
  readonly isDamaged: boolean;

  constructor(
    message: string,
    { isDamaged = false, ...options }: ErrorOptions & { isDamaged?: boolean } = {},
  ) {
    super(message, options);
    this.isDamaged = isDamaged;
  }
}

/** The message suits both the default file and a path from the user. */
export function createContentError(
  path: string,
  problem: string,
  { cause, isDamaged = true }: { cause?: unknown; isDamaged?: boolean } = {},
): UnusableFileError {
  const remedy = "move this file to another directory to create a new database, or use another file";
  return new UnusableFileError(`${path} ${problem}; ${remedy}`, { cause, isDamaged });
}

/**
 * Checks that a file is empty or an emulator database. Doesn't change the file.
 * @throws UnusableFileError if a newer voxctl or another program wrote the file
 */
export function assertUsable(database: Database, path: string): void {
  let tables: number;
  try {
    tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"] ?? 0);
  } catch (error) {
    if (!(error instanceof Error && /not a database/i.test(error.message))) throw error;
    throw createContentError(path, "is not a database", { cause: error });
  }
  if (tables > 0 && pragma(database, "application_id") !== applicationId) {
    throw createContentError(path, "is not an emulator database", { isDamaged: false });
  }
  const version = pragma(database, "user_version");
  if (version > schemaVersion) {
    throw new UnusableFileError(
      `${path} was written by a newer voxctl (format ${version}, this version supports ${schemaVersion}); update voxctl or use another file`,
    );
  }
}

export function createTables(database: Database): void {
  if (pragma(database, "user_version") > 0) return;
  changeSchema(database, schemaVersion, (version) => {
    // Applying the complete schema is five times as fast as running the migrations, which create some tables
    // three times.
    if (version === 0) database.exec(wholeSchema);
  });
}

export function isOutdated(database: Database): boolean {
  const version = pragma(database, "user_version");
  return version > 0 && version < schemaVersion;
}

/** @param sealing encrypts values that older versions stored in plain text */
export function migrate(database: Database, sealing: Sealing, migrations: readonly Migration[]): void {
  const isOlder = pragma(database, "user_version") > 0;
  // Secrets in plain text must not remain in the file's free space.
  if (isOlder) database.exec("PRAGMA secure_delete = ON");
  changeSchema(database, migrations.length, (version) =>
    runMigrations(database, sealing, migrations.slice(version)),
  );
  if (isOlder) cleanUp(database);
}

function changeSchema(database: Database, target: number, change: (version: number) => void): void {
  // A migration that rebuilds a table must not delete the rows that refer to this table. The pragma works
  // only outside a transaction.
  database.exec("PRAGMA foreign_keys = OFF");
  database.transaction(() => {
    // Read the version inside the transaction, because another process may migrate the database at any time.
    change(pragma(database, "user_version"));
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${target}`);
  });
  database.exec("PRAGMA foreign_keys = ON");
}

/**
 * Removes the content of deleted rows from the file and its journal. The migration no longer needs
 * `secure_delete`.
 */
function cleanUp(database: Database): void {
  database.exec("PRAGMA secure_delete = OFF");
  try {
    database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // VACUUM fails if another process uses the database. `secure_delete` has already overwritten the plain
    // text.
  }
}

function pragma(database: Database, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
