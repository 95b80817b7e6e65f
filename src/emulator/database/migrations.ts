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

export type Migration = string | ((database: Database, sealing: Sealing) => void);

/** A released migration must never change. */
export const firstMigrations: readonly Migration[] = [
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

/** The caller must open a transaction. */
export function runMigrations(database: Database, sealing: Sealing, migrations: readonly Migration[]): void {
  for (const migration of migrations) {
    if (typeof migration === "string") database.exec(migration);
    else migration(database, sealing);
  }
}
