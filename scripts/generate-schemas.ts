import { fileSchemas, formatSchema } from "../src/cli/commands/schema/schemas.js";

/** Returns the JSON Schemas of files that voxctl reads, by file name. */
export async function schemaFiles(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const schema of fileSchemas) texts.set(`${schema.name}.json`, await formatSchema(schema));
  return texts;
}
