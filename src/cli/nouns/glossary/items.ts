import type { TableResource } from "../../bulk/import-items.js";

export const items: TableResource = {
  command: "glossary",
  groupType: "glossaries",
  noun: "glossary entry",
  plural: "glossary entries",
  key: "term",
  columns: "term and definition",
  map: "term=Begriff,definition=Erklärung",
  examples: [
    { command: "voxctl glossary import begriffe.csv --group Zahnmedizin" },
    { command: "voxctl glossary import begriffe.csv --group Zahnmedizin --on-match update --dry-run" },
  ],
  table: async () => (await import("../../../features/import/index.js")).glossaryTable,
};
