import type { EmulatorState } from "../../emulator-state.js";
import { plantRow } from "../../kernel/planting.js";
import { encryptHeaders, encryptSecret } from "../../kernel/secrets.js";

const text = (description: string) => ({ type: "string", description });

const tools = [
  {
    name: "look_up_patient",
    description: "Sucht einen Patienten nach Name und Geburtsdatum.",
    method: "GET",
    path: "patients",
    properties: { last_name: text("Nachname"), birth_date: text("Geburtsdatum als JJJJ-MM-TT") },
    required: ["last_name", "birth_date"],
    secret: true,
  },
  {
    name: "find_free_slots",
    description: "Nennt freie Termine für eine Behandlung, die nächsten zuerst.",
    method: "POST",
    path: "slots/search",
    properties: { treatment: text("Behandlung"), from: text("frühester Tag") },
    required: ["treatment"],
    secret: true,
  },
  {
    name: "book_appointment",
    description: "Bucht einen Termin, den der Anrufer bestätigt hat.",
    method: "POST",
    path: "appointments",
    properties: { slot_id: text("Kennung des freien Termins"), phone_number: text("Rückrufnummer") },
    required: ["slot_id"],
    secret: true,
  },
  {
    name: "send_directions",
    description: "Schickt die Wegbeschreibung als SMS.",
    method: "POST",
    path: "directions",
    properties: { phone_number: text("Mobilnummer des Anrufers") },
    required: ["phone_number"],
    secret: false,
  },
];

export function plantTools(state: EmulatorState, organizationId: string): void {
  for (const { name, description, method, path, properties, required, secret } of tools) {
    plantRow(state, "tools", organizationId, {
      name,
      description,
      type: "webhook",
      url: `https://termine.praxis-sommer.example/api/${path}`,
      method,
      headers: JSON.stringify(encryptHeaders(state.options, { "X-Practice": "sommer" })),
      parameters: JSON.stringify({ type: "object", properties, required }),
      secret: secret ? encryptSecret(state.options, `demo secret of ${name}`) : null,
    });
  }
}
