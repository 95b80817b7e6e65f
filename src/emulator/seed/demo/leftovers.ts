import type { EmulatorState } from "../../emulator-state.js";
import { plantRow } from "../../kernel/planting.js";

/**
 * Creates resources that no assistant uses. Must run last, because assistants use all resources that exist
 * when they are created.
 */
export function plantLeftovers(state: EmulatorState, organizationId: string): void {
  plantRow(state, "prompts", organizationId, {
    name: "Empfang 2024",
    kind: "answering",
    text: "Du nimmst Anrufe für die Praxis an und notierst Rückrufwünsche.",
  });
  plantRow(state, "calendars", organizationId, {
    name: "Umbau",
    timezone: "Europe/Berlin",
    schedules: "[]",
  });
  plantRow(state, "tools", organizationId, {
    name: "fax_prescription",
    description: "Faxt ein Folgerezept an die Apotheke.",
    type: "webhook",
    url: "https://termine.praxis-sommer.example/api/fax",
    method: "POST",
    headers: "{}",
    parameters: JSON.stringify({ type: "object", properties: {}, required: [] }),
    secret: null,
  });
}
