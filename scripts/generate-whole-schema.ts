import { openDatabase } from "../src/base/database.js";
import { systemRandom } from "../src/base/random.js";
import { readMigratedSchema } from "../src/emulator/database/migrations.js";

/** Returns the tables of a new emulator database as a module: the result of all migrations on an empty one. */
export async function wholeSchemaModule(): Promise<string> {
  const database = await openDatabase(":memory:");
  const text = readMigratedSchema(database, { fileKey: Buffer.alloc(32), random: systemRandom() });
  database.close();
  const escaped = text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`);
  return `// Generated from the migrations: the tables of a new emulator database.
export const wholeSchema = \`
${escaped}
\`;
`;
}
