import { getText, isFields } from "../../base/fields.js";
import { tools as toolOperations } from "../../contract/public/tools.js";
import type { Noun } from "../derive/noun.js";
import { sendCommand } from "../derive/send.js";
import { showIfPresent } from "../output/fields.js";

export const tools: Noun = {
  name: "tools",
  noun: "tool",
  plural: "tools",
  summary: "Manage the webhooks that assistants use during a call",
  description: "To set headers and parameters (a JSON Schema), use --data @file. The secret is never shown.",
  operations: toolOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name", keep: true },
    { header: "METHOD", value: "method", keep: true },
    { header: "URL", value: "url" },
    {
      header: "SECRET",
      value: showIfPresent(["has_secret"], (tool) => (tool["has_secret"] === true ? "yes" : "no")),
      optional: true,
    },
    { header: "DESCRIPTION", value: "description", optional: true },
  ],
  referable: { list: "tools.list", noun: "tool" },
  verbs: {
    "tools.list": { examples: [{ command: "voxctl tools list" }] },
    "tools.get": { examples: [{ command: "voxctl tools get book_appointment" }] },
    "tools.create": {
      examples: [
        {
          command:
            'voxctl tools create --name cancel_appointment --url https://termine.praxis-sommer.example/api/cancel --description "Sagt einen Termin ab."',
        },
        {
          command: "voxctl tools create --data @tool.yaml --secret env:TOOL_SECRET",
          note: "With headers and parameters",
        },
      ],
      flagHelp: {
        name: "Lowercase letters, digits and _, such as look_up_patient",
        url: "URL that the tool calls: https://…",
      },
      command: (derivation) => sendCommand(derivation, { secret: "secret" }),
    },
    "tools.update": {
      examples: [
        { command: "voxctl tools update send_directions --method PUT" },
        { command: "voxctl tools update book_appointment --secret none", note: "Remove the secret" },
        { command: "voxctl tools update book_appointment --set headers.X-Practice=mitte" },
      ],
      flagHelp: {
        name: "Lowercase letters, digits and _, such as look_up_patient",
        url: "URL that the tool calls: https://…",
      },
      command: (derivation) => sendCommand(derivation, { secret: "secret" }),
    },
    "tools.delete": {
      description: "A tool that an assistant uses can't be deleted.",
      examples: [{ command: "voxctl tools delete fax_prescription" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("tools.get", { path: { tool_id: id } }, { signal });
        return { what: `tool ${isFields(data) ? getText(data, "name") : id}` };
      },
    },
  },
};
