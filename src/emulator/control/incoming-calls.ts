import * as z from "zod";
import type { Row } from "../../base/database.js";
import { E164, ObjectId } from "../../contract/primitives.js";
import { planAnalyses, planConversation } from "../calls/conversation.js";
import { planInbound } from "../calls/life-cycle.js";
import { callingAssistant } from "../calls/outbound.js";
import { askPreCallWebhook, filledPrompt } from "../calls/pre-call.js";
import { callDetailOf, findCall, insertCall } from "../calls/store.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import { type ControlCall, controlCall } from "./call.js";

function requireAssistant(world: World, id: string): Row {
  const row = world.database.prepare("SELECT * FROM assistants WHERE id = ?").get(id);
  if (!row) throw notFound(`the assistant ${id}`, "emulator.control");
  return row;
}

/** The assistant's prompt as this call reads it; null where it has none. */
function promptOf(world: World, assistant: Row, data: string): string | null {
  const id = assistant["prompt_id"] ?? null;
  if (id === null) return null;
  const row = world.database.prepare("SELECT text FROM prompts WHERE id = ?").get(id);
  return row ? filledPrompt(String(row["text"]), data) : null;
}

/** The only thing that ever sends a request out of the machine. */
export const incomingCalls: readonly ControlCall[] = [
  controlCall({
    method: "POST",
    path: "/incoming-calls",
    body: z.strictObject({ assistant_id: ObjectId, from: E164 }),
    success: 201,
    prepare: async ({ world, allowPrivateWebhooks }, { body }) => {
      const row = requireAssistant(world, body.assistant_id);
      const call_id = world.inRequest(() => world.database.transaction(() => world.ids.next()));
      const filled = await askPreCallWebhook(
        world,
        row,
        { call_id, assistant_id: body.assistant_id, from: body.from, to: row["phone_number"] ?? null },
        { allowPrivate: allowPrivateWebhooks },
      );
      return { id: call_id, filled };
    },
    run: ({ world }, { body }, { id, filled }) => {
      const row = requireAssistant(world, body.assistant_id);
      const assistant = callingAssistant(row);
      const now = world.clock.now();
      const plan = planInbound(now);
      const transcript = planConversation({
        ...assistant,
        details: null,
        durationSeconds: plan.durationSeconds,
      });
      insertCall(world.database, {
        id,
        organizationId: assistant.organizationId,
        assistantId: assistant.id,
        assistantPhone: assistant.phoneNumber,
        direction: "inbound",
        from: body.from,
        to: assistant.phoneNumber,
        plan,
        details: null,
        transcript,
        analyses: planAnalyses(transcript),
        notes: [],
      });
      const call = findCall(world.database, assistant.organizationId, id);
      return {
        call: call && callDetailOf(call, now),
        webhook: filled.exchange,
        prompt: promptOf(world, row, filled.data),
      };
    },
  }),
];
