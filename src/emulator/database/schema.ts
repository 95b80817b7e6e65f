import type { Database } from "../../base/database.js";
import type { Sealing } from "../kernel/secrets.js";
import { assistantsSchema } from "./schema/assistants.js";
import { calendarsSchema } from "./schema/calendars.js";
import { callsSchema } from "./schema/calls.js";
import { contactsSchema } from "./schema/contacts.js";
import { distributorsSchema } from "./schema/distributors.js";
import { emulatorSchema } from "./schema/emulator.js";
import { forwardingsSchema } from "./schema/forwardings.js";
import { glossarySchema } from "./schema/glossary.js";
import { groupsSchema } from "./schema/groups.js";
import { knowledgeSchema } from "./schema/knowledge.js";
import { freeNamesSchema, mirroredOnceSchema, mirrorSchema } from "./schema/mirror.js";
import { observedSchema } from "./schema/observed.js";
import { promptsSchema } from "./schema/prompts.js";
import { pronunciationSchema } from "./schema/pronunciation.js";
import { snapshotsSchema } from "./schema/snapshots.js";
import { toolsSchema } from "./schema/tools.js";
import { voicesSchema } from "./schema/voices.js";
import { sealHeaders } from "./sealing-migration.js";
import { keepTexts } from "./texts-migration.js";
import { wholeSchema } from "./whole-schema.js";

/** "voxc": says in the file's header whose it is. */
const applicationId = 0x766f7863;

/** Brings a file from one version to the next: SQL, or what needs the file's key. */
type Migration = string | ((database: Database, sealing: Sealing) => void);

/** None is ever changed once released. */
const migrations: readonly Migration[] = [
  [emulatorSchema, groupsSchema, contactsSchema].join("\n"),
  // The rest of the Public API.
  [
    voicesSchema,
    promptsSchema,
    assistantsSchema,
    callsSchema,
    knowledgeSchema,
    forwardingsSchema,
    glossarySchema,
    pronunciationSchema,
    calendarsSchema,
    toolsSchema,
  ].join("\n"),
  distributorsSchema,
  snapshotsSchema,
  sealHeaders,
  [mirrorSchema, freeNamesSchema].join("\n"),
  observedSchema,
  keepTexts,
  mirroredOnceSchema,
];

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
  if (version > migrations.length) {
    throw new UnusableFileError(
      `${path} was written by a newer voxctl (format ${version}, this one knows ${migrations.length}); update voxctl or give another file`,
    );
  }
}

/**
 * Brings the file's tables to this version.
 * @param sealing encrypts what older versions kept in the clear
 * @param target an older version, to make a file as an older voxctl left it
 */
export function migrate(database: Database, sealing: Sealing, target = migrations.length): void {
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
    if (version === 0 && target === migrations.length) database.exec(wholeSchema);
    else step(database, sealing, version, target);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${target}`);
  });
  database.exec("PRAGMA foreign_keys = ON");
  if (isOlder) cleanUp(database);
}

function step(database: Database, sealing: Sealing, version: number, target: number): void {
  for (const migration of migrations.slice(version, target)) {
    if (typeof migration === "string") database.exec(migration);
    else migration(database, sealing);
  }
}

/** The statements that make in one go what the migrations make of an empty database: `npm run generate` keeps them. */
export function schemaByMigrations(database: Database, sealing: Sealing): string {
  step(database, sealing, 0, migrations.length);
  return database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', rowid",
    )
    .all()
    .map(({ sql }) => `${sql};`)
    .join("\n");
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
