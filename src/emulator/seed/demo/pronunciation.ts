import type { EmulatorState } from "../../emulator-state.js";
import { plantGroup, plantRecord } from "../../kernel/planting.js";
import { pronunciationTable } from "../../public/pronunciation.js";

const rules: readonly {
  token: string;
  replacement?: string;
  spell_out?: true;
  speaking_rate?: number;
  ipa?: string;
}[] = [
  { token: "PZR", spell_out: true },
  { token: "HKP", spell_out: true },
  { token: "DVT", spell_out: true },
  { token: "Dr.", replacement: "Doktor" },
  { token: "Yıldız", ipa: "jɯɫˈdɯz" },
  { token: "Veneer", replacement: "Wenier", ipa: "vəˈniːɐ̯" },
  { token: "Lindenallee", speaking_rate: 0.85 },
  { token: "Nguyễn", ipa: "ŋwiən˦ˀ˥" },
];

export function plantPronunciation(state: EmulatorState, organizationId: string): void {
  const groupId = plantGroup(state, organizationId, "pronunciations", "Namen und Kürzel");
  for (const { token, replacement, spell_out, speaking_rate, ipa } of rules) {
    plantRecord(state, pronunciationTable, organizationId, {
      group_id: groupId,
      token,
      replacement: replacement ?? null,
      spell_out: spell_out ?? false,
      speaking_rate: speaking_rate ?? null,
      ipa: ipa ?? null,
    });
  }
}
