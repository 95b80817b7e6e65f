import { exportCommand } from "../bulk/export-items.js";

export const exportGlossary = exportCommand({
  name: "glossary",
  list: "glossary.list",
  groupType: "glossaries",
  noun: "glossary entry",
  plural: "glossary entries",
  fields: ["term", "definition"],
  group: "Zahnmedizin",
});
