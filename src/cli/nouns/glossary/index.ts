import { getText, isFields } from "../../../base/fields.js";
import { glossary as glossaryOperations } from "../../../contract/public/glossary.js";
import type { Noun } from "../../derive/noun.js";
import { groupOf } from "../../session/references/group.js";

export const glossary: Noun = {
  name: "glossary",
  noun: "glossary entry",
  plural: "glossary entries",
  summary: "Manage terms and abbreviations that assistants know",
  operations: glossaryOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "TERM", value: "term" },
    { header: "DEFINITION", value: "definition" },
    { header: "GROUP", value: "group_id", optional: true },
  ],
  referable: { list: "glossary.list", noun: "glossary entry", label: "term" },
  references: { group_id: groupOf("glossaries") },
  verbs: {
    "glossary.list": {
      examples: [
        { command: "voxctl glossary list" },
        { command: "voxctl glossary list --group Zahnmedizin" },
      ],
      flagHelp: { group_id: "List only entries in this group" },
    },
    "glossary.get": { examples: [{ command: "voxctl glossary get HKP" }] },
    "glossary.create": {
      examples: [
        {
          command:
            'voxctl glossary create --group Zahnmedizin --term KVA --definition "Kostenvoranschlag für Zahnersatz"',
        },
      ],
    },
    "glossary.update": {
      examples: [{ command: 'voxctl glossary update PZR --definition "Zahnreinigung, 50 Minuten"' }],
    },
    "glossary.delete": {
      examples: [{ command: "voxctl glossary delete Recall" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("glossary.get", { path: { glossary_id: id } }, { signal });
        return { what: `glossary entry "${isFields(data) ? getText(data, "term") : id}"` };
      },
    },
  },
  commands: [
    {
      name: "import",
      summary: "Import glossary entries from a CSV, TSV, XLSX, JSONL or JSON file",
      load: async () => (await import("./import.js")).importGlossary,
    },
    {
      name: "sync",
      summary: "Update a group of glossary entries to match a file",
      load: async () => (await import("./sync.js")).syncGlossary,
    },
    {
      name: "export",
      summary: "Export glossary entries to a CSV, XLSX or JSONL file",
      load: async () => (await import("./export.js")).exportGlossary,
    },
  ],
};
