import { openDatabase } from "../src/base/database.js";
import { systemRandom } from "../src/base/random.js";
import { runMigrations } from "../src/emulator/database/migrations.js";
import { loadMigrations } from "../src/emulator/resources.js";

/**
 * Returns a module with the SQL of a new emulator database, read from an empty database after all migrations.
 */
export async function wholeSchemaModule(): Promise<string> {
  const database = await openDatabase(":memory:");
  const migrations = await loadMigrations();
  runMigrations(database, { fileKey: Buffer.alloc(32), random: systemRandom() }, migrations);
  const text = database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type <> 'table', rowid",
    )
    .all()
    .map(({ sql }) => `${sql};`)
    .join("\n");
  database.close();
  const escaped = text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`);
  return `// Generated from the migrations: the tables of a new emulator database.
export const schemaVersion = ${migrations.length};

export const wholeSchema = \`
${escaped}
\`;
`;
}
