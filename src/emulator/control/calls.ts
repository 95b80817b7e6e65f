import type { calls } from "../../contract/control/calls.js";
import type { CallDetail } from "../../contract/public/calls.js";
import { planAnalyses, planConversation } from "../calls/conversation.js";
import { planPast, planScripted, stateOf } from "../calls/life-cycle.js";
import { callingAssistant } from "../calls/outbound.js";
import { callDetailOf, findCall, insertCall, rewriteCall, storedCall } from "../calls/store.js";
import { invalid, notFound } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

/** A number of the range that is kept free for stories: it calls no person by accident. */
const somebody = "+493023125999";

/** A call as the Public API shows it. */
export function shownCall({ database, clock }: World, organizationId: string, id: string): CallDetail {
  const call = findCall(database, organizationId, id);
  if (!call) throw notFound(`the call ${id}`, "emulator.control");
  return callDetailOf(call, clock.now());
}

export const callHandlers: ControlHandlers<typeof calls> = {
  "calls.update": ({ world }, { path: { id }, body }) => {
    const { database } = world;
    const now = world.clock.now();
    const row = database.prepare("SELECT * FROM calls WHERE id = ?").get(id);
    if (!row) throw notFound(`the call ${id}`, "emulator.control");
    const call = storedCall(row);
    if (stateOf(call.plan, now).isOver) {
      throw invalid("emulator.control", [{ path: [], message: "the call is over" }]);
    }
    const before = callDetailOf({ ...call, plan: { ...call.plan, answeredAt: 0, endedAt: 0 } }, now);
    const isAnswered = body.status === "completed";
    const seconds = body.duration_seconds ?? (isAnswered ? call.plan.durationSeconds || 60 : 0);
    rewriteCall(database, id, {
      plan: planScripted(call.createdAt, body.status, seconds),
      transcript: body.transcript ?? (isAnswered ? before.transcript : []),
      analyses: body.analyses ?? (isAnswered ? before.analyses : []),
    });
    return shownCall(world, String(row["organization_id"]), id);
  },
  "calls.create": ({ world }, { body }) => {
    const { database } = world;
    const now = world.clock.now();
    const row = database.prepare("SELECT * FROM assistants WHERE id = ?").get(body.assistant_id);
    if (!row) throw notFound(`the assistant ${body.assistant_id}`, "emulator.control");
    const assistant = callingAssistant(row);
    const createdAt = body.created_at === undefined ? undefined : Date.parse(body.created_at);
    if (createdAt !== undefined && createdAt > now) {
      throw invalid("emulator.control", [{ path: ["created_at"], message: "lies in the future" }]);
    }
    const durationSeconds = body.duration_seconds ?? (body.status === "completed" ? 60 : 0);
    if (body.recording !== null && durationSeconds === 0) {
      throw invalid("emulator.control", [
        { path: ["recording"], message: "needs a call that lasts a second or more" },
      ]);
    }
    const plan = planPast(
      { outcome: body.status, durationSeconds, recordingFormat: body.recording, createdAt },
      now,
    );
    const transcript = body.transcript ?? planConversation({ ...assistant, details: null, durationSeconds });
    const id = world.ids.next();
    const inbound = body.direction === "inbound";
    insertCall(database, {
      id,
      organizationId: assistant.organizationId,
      assistantId: assistant.id,
      assistantPhone: assistant.phoneNumber,
      direction: body.direction,
      from: body.from ?? (inbound ? somebody : assistant.phoneNumber),
      to: body.to ?? (inbound ? assistant.phoneNumber : somebody),
      plan,
      details: null,
      transcript,
      analyses: planAnalyses(transcript),
      notes: [],
    });
    return shownCall(world, assistant.organizationId, id);
  },
};
