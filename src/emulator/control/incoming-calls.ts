import type { Row } from "../../base/database.js";
import type { incomingCalls } from "../../contract/control/incoming-calls.js";
import { planAnalyses, planConversation } from "../calls/conversation.js";
import { planInbound } from "../calls/life-cycle.js";
import { toCallingAssistant } from "../calls/outbound.js";
import { callPreCallWebhook, fillPrompt } from "../calls/pre-call.js";
import { insertCall } from "../calls/store.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { notFound } from "../refusal.js";
import { showCall } from "./calls.js";
import type { ControlHandlers } from "./handlers.js";

function requireAssistant(state: EmulatorState, id: string): Row {
  const row = state.database.prepare("SELECT * FROM assistants WHERE id = ?").get(id);
  if (!row) throw notFound(`the assistant ${id}`, "emulator.control");
  return row;
}

function fillAssistantPrompt(state: EmulatorState, assistant: Row, data: string): string | null {
  const id = assistant["prompt_id"] ?? null;
  if (id === null) return null;
  const row = state.database.prepare("SELECT text FROM prompts WHERE id = ?").get(id);
  return row ? fillPrompt(String(row["text"]), data) : null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The documents don't specify the body's fields. The body has the fields of the user's example, with known
 * values filled in. Without an example, the body has the fields that voxctl assumes (`known`).
 */
function buildWebhookBody(example: Fields | undefined, known: Fields): Fields {
  if (example === undefined) return known;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, Object.hasOwn(known, name) ? known[name] : value]),
  );
}

/** The only handlers that make the emulator send requests to other hosts. */
export const incomingCallHandlers: ControlHandlers<typeof incomingCalls> = {
  "incomingCalls.list": ({ state }, { query }) =>
    state.database
      .prepare(
        `SELECT call_id, at, assistant_id, assistants.name AS assistant_name,
           webhook ->> '$.request.url' AS url, webhook ->> '$.response.status' AS status, webhook ->> '$.error' AS error
         FROM incoming_calls JOIN calls ON calls.id = call_id LEFT JOIN assistants ON assistants.id = assistant_id
         WHERE webhook IS NOT NULL AND (?1 IS NULL OR call_id < ?1) ORDER BY call_id DESC LIMIT ?2`,
      )
      .all(query.before ?? null, query.limit)
      .map((row) => ({ ...row, at: isoTime(Number(row["at"])) })),
  "incomingCalls.create": {
    prepare: async ({ state, allowPrivateWebhooks, webhookExample }, { body }) => {
      const row = requireAssistant(state, body.assistant_id);
      const id = state.inRequest(() => state.database.transaction(() => state.ids.next()));
      const filled = await callPreCallWebhook(
        state,
        row,
        buildWebhookBody(body.webhook_example ?? webhookExample, {
          call_id: id,
          assistant_id: body.assistant_id,
          from: body.from,
          to: row["phone_number"] ?? null,
        }),
        { allowPrivate: allowPrivateWebhooks },
      );
      // `receiveCall` reads the assistant again, because the assistant may change while the webhook responds.
      return () => receiveCall(state, id, body, filled);
    },
  },
};

function receiveCall(
  state: EmulatorState,
  id: string,
  { assistant_id, from }: { assistant_id: string; from: string },
  { exchange, data }: Awaited<ReturnType<typeof callPreCallWebhook>>,
) {
  const row = requireAssistant(state, assistant_id);
  const assistant = toCallingAssistant(row);
  const plan = planInbound(state.clock.now());
  const { durationSeconds } = plan;
  const transcript = planConversation({ ...assistant, direction: "inbound", details: null, durationSeconds });
  insertCall(state.database, {
    id,
    organizationId: assistant.organizationId,
    assistantId: assistant.id,
    assistantPhone: assistant.phoneNumber,
    direction: "inbound",
    from,
    to: assistant.phoneNumber,
    plan,
    details: null,
    transcript,
    analyses: planAnalyses(transcript),
    notes: [],
  });
  const call = showCall(state, assistant.organizationId, id);
  const prompt = fillAssistantPrompt(state, row, data);
  state.database
    .prepare("INSERT INTO incoming_calls (call_id, at, webhook, prompt) VALUES (?, ?, ?, ?)")
    .run(id, plan.createdAt, exchange && JSON.stringify(exchange), prompt);
  return { call, webhook: exchange, prompt };
}
