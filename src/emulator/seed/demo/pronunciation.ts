import type { World } from "../../world.js";
import { plantGroup, plantRow } from "./rows.js";

const rules: readonly {
  token: string;
  replacement?: string;
  spell_out?: 1;
  speaking_rate?: number;
  ipa?: string;
}[] = [
  { token: "PZR", spell_out: 1 },
  { token: "HKP", spell_out: 1 },
  { token: "DVT", spell_out: 1 },
  { token: "Dr.", replacement: "Doktor" },
  { token: "Yıldız", ipa: "jɯɫˈdɯz" },
  { token: "Veneer", replacement: "Wenier", ipa: "vəˈniːɐ̯" },
  { token: "Lindenallee", speaking_rate: 0.85 },
  { token: "Nguyễn", ipa: "ŋwiən˦ˀ˥" },
];

/** How the practice's words are spoken; some rules need a v2 voice. */
export function plantPronunciation(world: World, organizationId: string): void {
  const groupId = plantGroup(world, organizationId, "pronunciations", "Namen und Kürzel");
  for (const { token, replacement, spell_out, speaking_rate, ipa } of rules) {
    plantRow(world, "pronunciation_items", organizationId, {
      group_id: groupId,
      token,
      replacement: replacement ?? null,
      spell_out: spell_out ?? 0,
      speaking_rate: speaking_rate ?? null,
      ipa: ipa ?? null,
    });
  }
}
