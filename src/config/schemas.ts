/** JSON Schemas of the folder's files, for editors: projected from what the files are read with. */
import { jsonSchemaOf } from "../contract/json-schema.js";
import { kinds } from "./kinds/index.js";
import { Project } from "./project.js";

/** By their paths in the folder. */
export function schemaFiles(): Map<string, string> {
  const schemas = new Map([
    ["project", jsonSchemaOf(Project, "input")],
    ...Object.values(kinds).map((kind) => [kind.name, jsonSchemaOf(kind.file, "input")] as const),
  ]);
  return new Map(
    [...schemas].map(([name, schema]) => [
      `.voxctl/schema/${name}.json`,
      `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, null, 2)}\n`,
    ]),
  );
}
