import type { Command } from "../../session/command.js";
import { fileSchemas, findSchema, formatSchema } from "./schemas.js";

export const schema: Command = {
  name: "schema",
  summary: "Print the JSON Schema of a file",
  description:
    "Without a name, lists the schemas. To get completion and checks in an editor with YAML support, make this the first line of a " +
    "file: # yaml-language-server: $schema=FILE",
  arguments: [
    {
      name: "name",
      description: "Name of the schema, such as project, assistants or call-suite",
      optional: true,
      choices: fileSchemas.map((fileSchema) => fileSchema.name),
    },
  ],
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
