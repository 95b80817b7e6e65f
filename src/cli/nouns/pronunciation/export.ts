import { createExportCommand } from "../../bulk/export-items.js";

export const exportPronunciation = createExportCommand({
  name: "pronunciation",
  list: "pronunciation.list",
  groupType: "pronunciations",
  noun: "pronunciation rule",
  plural: "pronunciation rules",
  fields: ["token", "replacement", "spell_out", "speaking_rate", "ipa"],
  group: "Namen und Kürzel",
});
