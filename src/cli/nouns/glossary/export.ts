import { createExportCommand } from "../../bulk/export-items.js";

export const exportGlossary = createExportCommand({
  name: "glossary",
  list: "glossary.list",
  groupType: "glossaries",
  noun: "glossary entry",
  plural: "glossary entries",
  fields: ["term", "definition"],
  group: "Zahnmedizin",
});
