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

/** Changes a database from one version to the next. It is SQL, or a function if the database's key is needed. */
type Migration = string | ((database: Database, sealing: Sealing) => void);

/** A released migration must never change. */
const migrations: readonly Migration[] = [
  [emulatorSchema, groupsSchema, contactsSchema].join("\n"),
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

/** The version of a database to which all migrations were applied. */
export const currentVersion = migrations.length;

/** Runs the migrations between two versions, without a transaction. */
export function runMigrations(database: Database, sealing: Sealing, from: number, to: number): void {
  for (const migration of migrations.slice(from, to)) {
    if (typeof migration === "string") database.exec(migration);
    else migration(database, sealing);
  }
}

/** Runs all migrations on an empty database. Returns the statements that create the resulting tables directly. */
export function readMigratedSchema(database: Database, sealing: Sealing): string {
  runMigrations(database, sealing, 0, currentVersion);
  return database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', rowid",
    )
    .all()
    .map(({ sql }) => `${sql};`)
    .join("\n");
}
