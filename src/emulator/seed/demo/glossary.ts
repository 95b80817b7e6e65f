import type { EmulatorState } from "../../emulator-state.js";
import { plantGroup, plantRecord } from "../../kernel/planting.js";
import { glossaryTable } from "../../public/glossary.js";

const entries: readonly (readonly [term: string, definition: string])[] = [
  ["PZR", "Professionelle Zahnreinigung, etwa 50 Minuten"],
  ["HKP", "Heil- und Kostenplan, den die Kasse vor Zahnersatz genehmigt"],
  ["PAR", "Parodontitisbehandlung in mehreren Terminen"],
  ["DVT", "Digitale Volumentomographie: dreidimensionale Röntgenaufnahme"],
  ["KFO", "Kieferorthopädie; wir überweisen an Dr. Yıldız"],
  ["Recall", "Erinnerung an die nächste Vorsorge, alle sechs Monate"],
  ["Bonusheft", "Nachweis der jährlichen Vorsorge; erhöht den Festzuschuss"],
  ["Festzuschuss", "Betrag, den die Kasse zum Zahnersatz beisteuert"],
  ["Veneer", "Dünne Keramikschale für sichtbare Zähne"],
  ["Wurzelbehandlung", "Reinigung und Füllung der Wurzelkanäle, zwei bis drei Termine"],
  ["Knirscherschiene", "Schiene für die Nacht, gegen Abrieb und Verspannung"],
  ["Zahnrettungsbox", "Nährlösung für ausgeschlagene Zähne; hält sie 24 Stunden frisch"],
];

export function plantGlossary(state: EmulatorState, organizationId: string): void {
  const groupId = plantGroup(state, organizationId, "glossaries", "Zahnmedizin");
  for (const [term, definition] of entries) {
    plantRecord(state, glossaryTable, organizationId, { group_id: groupId, term, definition });
  }
}
