/** Schemas with which editors check the files of a configuration directory. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileSchemas, formatSchema } from "../../../cli/commands/schema/schemas.js";

export function getSchemaFolder(root: string): string {
  return join(root, ".voxctl", "schema");
}

/** Updates schemas from a different version of voxctl, if the schema directory exists. */
export async function updateSchemas(root: string): Promise<void> {
  const folder = getSchemaFolder(root);
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) return;
  const { replaceFile } = await import("../index.js");
  for (const schema of fileSchemas.filter(({ isOfFolder }) => isOfFolder)) {
    const path = join(folder, `${schema.name}.json`);
    const text = await formatSchema(schema);
    const former = await readFile(path, "utf8").catch(() => undefined);
    if (former !== text) await replaceFile(path, text);
  }
}
