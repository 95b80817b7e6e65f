import type { Webhook } from "../../../contract/public/pre-call-webhook.js";
import type { EmulatorState } from "../../emulator-state.js";
import { plantRow } from "../../kernel/planting.js";
import { encryptHeaders, encryptSecret } from "../../kernel/secrets.js";
import { carrier } from "../../public/assistants.js";
import { takeNumber } from "../../public/numbers.js";

interface DemoAssistant {
  name: string;
  voice: string;
  introduction: string;
  prompt: string;
  mails: boolean;
  informed: boolean;
  webhook: {
    config: Omit<Webhook, "headers">;
    headers: Webhook["headers"];
    secret: string;
  } | null;
}

const demoAssistants: readonly DemoAssistant[] = [
  {
    name: "Empfang",
    voice: "Clara",
    introduction:
      "Guten Tag, Zahnarztpraxis Dr. Sommer, hier ist Clara, die digitale Assistentin. Was kann ich für Sie tun?",
    prompt: "Empfang",
    mails: true,
    informed: true,
    webhook: {
      config: {
        enabled: true,
        url: "https://praxis-sommer.example/hooks/anrufer",
        auth: { type: "bearer", has_secret: true },
      },
      headers: { "X-Standort": "Berlin-Mitte" },
      secret: "demo-webhook-secret",
    },
  },
  {
    name: "Notdienst",
    // This older voice ignores pronunciation rules.
    voice: "Hanna",
    introduction:
      "Zahnarztpraxis Dr. Sommer, guten Abend. Die Praxis ist gerade geschlossen. Haben Sie starke Schmerzen?",
    prompt: "Notdienst",
    mails: true,
    informed: true,
    webhook: null,
  },
  {
    name: "Terminservice",
    voice: "Moritz",
    introduction:
      "Guten Tag, hier ist Moritz von der Zahnarztpraxis Dr. Sommer. Es geht um Ihren Termin bei uns.",
    prompt: "Terminerinnerung",
    mails: false,
    informed: false,
    webhook: null,
  },
];

/** The assistants' prompts, groups, calendars and tools must already exist. */
export function plantAssistants(
  state: EmulatorState,
  organizationId: string,
  prompts: ReadonlyMap<string, string>,
): void {
  const { database } = state;
  const idsOf = (table: "calendars" | "tools") =>
    database
      .prepare(`SELECT id FROM ${table} WHERE organization_id = ? ORDER BY id`)
      .all(organizationId)
      .map((row) => String(row["id"]));
  const groupsOf = (type: string) =>
    database
      .prepare("SELECT id FROM groups WHERE organization_id = ? AND type = ? ORDER BY id")
      .all(organizationId, type)
      .map((row) => String(row["id"]));
  const voiceId = (name: string) =>
    String(database.prepare("SELECT id FROM voices WHERE name = ?").get(name)?.["id"]);

  for (const assistant of demoAssistants) {
    const known = (ids: string[]) => JSON.stringify(assistant.informed ? ids : []);
    plantRow(state, "assistants", organizationId, {
      name: assistant.name,
      language: "de",
      voice_id: voiceId(assistant.voice),
      company_name: "Zahnarztpraxis Dr. Sommer",
      company_industry: "Zahnmedizin",
      introduction: assistant.introduction,
      phone_number: takeNumber(database, organizationId),
      carrier,
      prompt_id: prompts.get(assistant.prompt) ?? null,
      email_prompt_id: assistant.mails ? (prompts.get("Zusammenfassung per E-Mail") ?? null) : null,
      knowledge_group_ids: known(groupsOf("knowledges")),
      glossary_group_ids: known(groupsOf("glossaries")),
      // Every assistant must pronounce the names in the dental practice correctly.
      pronunciation_group_ids: JSON.stringify(groupsOf("pronunciations")),
      forwarding_group_ids: known(groupsOf("forwardings")),
      calendar_ids: known(idsOf("calendars")),
      tool_ids: known(idsOf("tools")),
      ...(assistant.webhook && {
        pre_call_webhook: JSON.stringify(assistant.webhook.config),
        webhook_headers: JSON.stringify(encryptHeaders(state.options, assistant.webhook.headers)),
        webhook_credential: encryptSecret(state.options, assistant.webhook.secret),
      }),
    });
  }
}
