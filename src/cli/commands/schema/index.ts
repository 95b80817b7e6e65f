import type { Command } from "../../session/command.js";
import { fileSchemas, findSchema, formatSchema } from "./schemas.js";

/** `voxctl schema`: the JSON Schemas of the files that voxctl reads. */
export const schema: Command = {
  name: "schema",
  summary: "Print the JSON Schema of a file that voxctl reads, for an editor",
  description:
    "Without a name, the list of them. An editor that knows YAML completes and checks a file whose first line is " +
    "# yaml-language-server: $schema=FILE.",
  arguments: [{ name: "name", description: "Which: project, assistants, call-suite …", optional: true }],
  examples: [{ command: "voxctl schema" }, { command: "voxctl schema call-suite > call-suite.schema.json" }],
  async run(session, input) {
    const [name] = input.arguments;
    if (name !== undefined) {
      await session.output.json([await formatSchema(findSchema(name))]);
      return;
    }
    await session.output.list(
      fileSchemas.map((fileSchema) => ({ name: fileSchema.name, files: fileSchema.files })),
      {
        columns: [
          { header: "NAME", value: "name", keep: true },
          { header: "FILES", value: "files" },
        ],
        fields: ["name", "files"],
      },
    );
  },
};
