import type { TableResource } from "../../bulk/import-items.js";

export const items: TableResource = {
  command: "pronunciation",
  groupType: "pronunciations",
  noun: "pronunciation rule",
  plural: "pronunciation rules",
  key: "token",
  columns: "token, replacement, spell_out, speaking_rate and ipa",
  map: "token=Wort,replacement=Aussprache",
  examples: [
    { command: 'voxctl pronunciation import aussprache.csv --group "Namen und Kürzel"' },
    { command: "voxctl pronunciation import aussprache.csv --group Neu --create-group --on-match update" },
  ],
  table: async () => (await import("../../../features/import/index.js")).pronunciationTable,
};
