import { dayMilliseconds } from "../../../base/iso-week.js";
import { seededDraw } from "../../../base/random.js";
import { planAnalyses, planConversation } from "../../calls/conversation.js";
import { planPast } from "../../calls/life-cycle.js";
import { insertCall } from "../../calls/store.js";
import type { EmulatorState } from "../../emulator-state.js";
import { plantRow } from "../../kernel/planting.js";
import { carrier } from "../../public/assistants.js";
import { takeNumber } from "../../public/numbers.js";

const days = 28;

export function plantCustomerCalls(
  state: EmulatorState,
  organizationId: string,
  customer: { name: string; busy: number; industry: string },
): void {
  const { database } = state;
  const now = state.clock.now();
  const introduction = `Guten Tag, hier ist der Telefonassistent von ${customer.name}. Was kann ich für Sie tun?`;
  const phone = takeNumber(database, organizationId);
  const voice = database.prepare("SELECT min(id) AS id FROM voices WHERE selectable = 1").get();
  const assistantId = plantRow(state, "assistants", organizationId, {
    name: "Zentrale",
    language: "de",
    voice_id: String(voice?.["id"]),
    company_name: customer.name,
    company_industry: customer.industry,
    introduction,
    phone_number: phone,
    carrier,
  });
  const today = Math.floor(now / dayMilliseconds) * dayMilliseconds;
  for (let back = days; back > 0; back -= 1) {
    const day = today - back * dayMilliseconds;
    if ([0, 6].includes(new Date(day).getUTCDay())) continue;
    for (let index = 0; index < customer.busy; index += 1) {
      const luck = (what: string) =>
        seededDraw(state.randomSeed, "demo customer", what, customer.name, back, index);
      if (luck("comes") < 0.3) continue;
      const durationSeconds = 20 + Math.floor(luck("length") * 160);
      const createdAt = day + Math.floor((7 + 9 * luck("hour")) * 3_600) * 1_000;
      const transcript = planConversation({
        direction: "inbound",
        language: "de",
        introduction,
        details: null,
        durationSeconds,
      });
      insertCall(database, {
        id: state.ids.next(),
        organizationId,
        assistantId,
        assistantPhone: phone,
        direction: "inbound",
        from: `+4930231251${String(Math.floor(luck("from") * 100)).padStart(2, "0")}`,
        to: phone,
        plan: planPast({ outcome: "completed", durationSeconds, recordingFormat: null, createdAt }, now),
        details: null,
        transcript,
        analyses: planAnalyses(transcript),
        notes: [],
      });
    }
  }
}
