import type { Row } from "../../base/database.js";
import { parseTime } from "../../base/time-text.js";
import type { calls } from "../../contract/control/calls.js";
import type { Analysis, CallDetail, Utterance } from "../../contract/public/calls.js";
import { buildTurnAnalyses, planAnalyses, planConversation } from "../calls/conversation.js";
import { type CallPlan, computeCallState, planPast, planScripted } from "../calls/life-cycle.js";
import { toCallingAssistant } from "../calls/outbound.js";
import { findCall, insertCall, toCall, toCallDetail, toStoredCall, updateCall } from "../calls/store.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { invalid, notFound } from "../refusal.js";
import { buildConditions } from "./conditions.js";
import type { ControlHandlers } from "./handlers.js";

/** A number in a range that is reserved for fiction. */
const callerNumber = "+493023125999";

const hourMilliseconds = 3_600_000;

export function showCall({ database, clock }: EmulatorState, organizationId: string, id: string): CallDetail {
  const call = findCall(database, organizationId, id);
  if (!call) throw notFound(`the call ${id}`, "emulator.control");
  return toCallDetail(call, clock.now());
}

const listQuery = `SELECT calls.*, assistants.name AS assistant_name FROM calls
  LEFT JOIN assistants ON assistants.id = calls.assistant_id`;

const readAssistantName = (row: Row) =>
  row["assistant_name"] === null ? null : String(row["assistant_name"]);

function readPreCallExchange(
  { database }: EmulatorState,
  callId: string,
): { webhook: unknown; prompt: unknown } {
  const row = database.prepare("SELECT webhook, prompt FROM incoming_calls WHERE call_id = ?").get(callId);
  const webhook = row?.["webhook"] ?? null;
  return {
    webhook: webhook === null ? null : JSON.parse(String(webhook)),
    prompt: row?.["prompt"] ?? null,
  };
}

function toCourse({ outcome, ringsAt, answeredAt, endedAt, recordedAt, erasedAt }: CallPlan) {
  const format = (time: number | null) => (time === null ? null : isoTime(time));
  return {
    outcome,
    rings_at: isoTime(ringsAt),
    answered_at: format(answeredAt),
    ended_at: isoTime(endedAt),
    recorded_at: format(recordedAt),
    erased_at: format(erasedAt),
  };
}

function buildAnalyses(body: { transcript?: unknown }, transcript: readonly Utterance[]): Analysis[] {
  return body.transcript === undefined ? planAnalyses(transcript) : buildTurnAnalyses(transcript);
}

export const callHandlers: ControlHandlers<typeof calls> = {
  "calls.list": ({ state }, { query }) => {
    const { where, values } = buildConditions([
      ["calls.organization_id = ?", query.organization_id],
      ["assistant_id = ?", query.assistant_id],
      ["instr(coalesce(from_number, '') || ' ' || coalesce(to_number, ''), ?) > 0", query.number],
      [
        "(calls.created_at, calls.id) < (SELECT created_at, id FROM calls AS last WHERE last.id = ?)",
        query.before,
      ],
    ]);
    return state.database
      .prepare(`${listQuery} ${where} ORDER BY calls.created_at DESC, calls.id DESC LIMIT ?`)
      .all(...values, query.limit)
      .map((row) => ({
        ...toCall(toStoredCall(row), state.clock.now()),
        organization_id: String(row["organization_id"]),
        assistant_name: readAssistantName(row),
      }));
  },
  "calls.get": ({ state }, { path: { id } }) => {
    const row = state.database.prepare(`${listQuery} WHERE calls.id = ?`).get(id);
    if (!row) throw notFound(`the call ${id}`, "emulator.control");
    const call = toStoredCall(row);
    return {
      call: toCallDetail(call, state.clock.now()),
      course: toCourse(call.plan),
      organization_id: String(row["organization_id"]),
      assistant_name: readAssistantName(row),
      ...readPreCallExchange(state, id),
    };
  },
  "calls.counts": ({ state }, { query }) => {
    const now = state.clock.now();
    const { where, values } = buildConditions([
      ["organization_id = ?", query.organization_id],
      ["assistant_id = ?", query.assistant_id],
      ["created_at > ?", now - query.days * 24 * hourMilliseconds],
      ["created_at <= ?", now],
    ]);
    return state.database
      .prepare(
        `SELECT created_at / ${hourMilliseconds} AS hour, count(*) AS calls FROM calls ${where} GROUP BY 1 ORDER BY 1`,
      )
      .all(...values)
      .map(({ hour, calls }) => ({ hour: isoTime(Number(hour) * hourMilliseconds), calls: Number(calls) }));
  },
  "calls.update": ({ state }, { path: { id }, body }) => {
    const { database } = state;
    const now = state.clock.now();
    const row = database.prepare("SELECT * FROM calls WHERE id = ?").get(id);
    if (!row) throw notFound(`the call ${id}`, "emulator.control");
    const call = toStoredCall(row);
    if (computeCallState(call.plan, now).isOver) {
      throw invalid("emulator.control", [{ path: [], message: "the call has ended" }]);
    }
    const before = toCallDetail({ ...call, plan: { ...call.plan, answeredAt: 0, endedAt: 0 } }, now);
    const isAnswered = body.status === "completed";
    const seconds = body.duration_seconds ?? (isAnswered ? call.plan.durationSeconds || 60 : 0);
    // The planned conversation may be longer than the new duration.
    const fitting = before.transcript.filter(({ offset_seconds }) => offset_seconds < seconds);
    const transcript = isAnswered ? (body.transcript ?? fitting) : [];
    updateCall(database, id, {
      plan: planScripted(call.plan, body.status, seconds),
      transcript,
      // The planned analyses don't match the new outcome.
      analyses: body.analyses ?? buildAnalyses(body, transcript),
    });
    return showCall(state, String(row["organization_id"]), id);
  },
  "calls.create": ({ state }, { body }) => {
    const { database } = state;
    const now = state.clock.now();
    const row = database.prepare("SELECT * FROM assistants WHERE id = ?").get(body.assistant_id);
    if (!row) throw notFound(`the assistant ${body.assistant_id}`, "emulator.control");
    const assistant = toCallingAssistant(row);
    const createdAt = body.created_at === undefined ? undefined : parseTime(body.created_at);
    if (createdAt !== undefined && createdAt > now) {
      throw invalid("emulator.control", [{ path: ["created_at"], message: "is in the future" }]);
    }
    const durationSeconds = body.duration_seconds ?? (body.status === "completed" ? 60 : 0);
    if (body.recording !== null && durationSeconds === 0) {
      throw invalid("emulator.control", [
        { path: ["recording"], message: "requires a call of at least one second" },
      ]);
    }
    const plan = planPast(
      { outcome: body.status, durationSeconds, recordingFormat: body.recording, createdAt },
      now,
    );
    const { direction } = body;
    const transcript =
      body.transcript ?? planConversation({ ...assistant, direction, details: null, durationSeconds });
    const id = state.ids.next();
    const inbound = direction === "inbound";
    insertCall(database, {
      id,
      organizationId: assistant.organizationId,
      assistantId: assistant.id,
      assistantPhone: assistant.phoneNumber,
      direction,
      from: body.from ?? (inbound ? callerNumber : assistant.phoneNumber),
      to: body.to ?? (inbound ? assistant.phoneNumber : callerNumber),
      plan,
      details: null,
      transcript,
      analyses: buildAnalyses(body, transcript),
      notes: [],
    });
    return showCall(state, assistant.organizationId, id);
  },
};
