import type { SqlValue } from "../../base/database.js";
import { parseTime } from "../../base/time-text.js";
import type { calls } from "../../contract/public/calls.js";
import { parseDestination, toInternationalNumber } from "../calls/destination.js";
import {
  type CallingAssistant,
  findObstacle,
  placeOutboundCall,
  toCallingAssistant,
} from "../calls/outbound.js";
import { findCall, type StoredCall, toCall, toCallDetail, toStoredCall } from "../calls/store.js";
import type { Handlers, PublicContext } from "../context.js";
import { isoTime } from "../kernel/clock.js";
import { parsePosition, toPage } from "../kernel/paging.js";
import { secondsUntil } from "../policy.js";
import { invalid, notFound, Refusal } from "../refusal.js";

/** Columns for lists: all except long texts. */
const listColumns =
  "id, assistant_id, direction, outcome, from_number, to_number, rings_at, answered_at, ended_at, duration_seconds, recording_format, recorded_at, recording_erased_at, created_at";

/** @throws Refusal not_found */
export function requireCall(context: PublicContext, id: string): StoredCall {
  const call = findCall(context.database, context.organization.id, id);
  if (!call) throw notFound(`the call ${id}`);
  return call;
}

function findAssistant(context: PublicContext, column: "id" | "phone_number", value: string) {
  const row = context.database
    .prepare(`SELECT * FROM assistants WHERE ${column} = ? AND organization_id = ?`)
    .get(value, context.organization.id);
  return row && toCallingAssistant(row);
}

function requireAssistant(
  context: PublicContext,
  body: { assistant_id?: string | undefined; assistant_phone?: string | undefined },
): CallingAssistant {
  const { assistant_id: id, assistant_phone: phone } = body;
  const assistant =
    id === undefined ? findAssistant(context, "phone_number", phone ?? "") : findAssistant(context, "id", id);
  if (!assistant) throw notFound(`the assistant ${id ?? phone}`);
  return assistant;
}

/**
 * Refuses a filter for an unknown assistant. A deleted assistant is known as long as it has calls (D-call).
 */
function requireKnown(
  context: PublicContext,
  column: { assistant: "id" | "phone_number"; call: string },
  value: string,
) {
  if (findAssistant(context, column.assistant, value)) return;
  const known = context.database
    .prepare(`SELECT 1 FROM calls WHERE organization_id = ? AND ${column.call} = ? LIMIT 1`)
    .get(context.organization.id, value);
  if (!known) throw notFound(`the assistant ${value}`, "D-call"); // D-deleted-assistant
}

/** Rounds up, because a filter may be more precise than the times of calls, which are in milliseconds. */
function toFilterBound(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return parseTime(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0);
}

export const callHandlers: Handlers<typeof calls> = {
  "calls.list": (context, { query }) => {
    // public.endpoints.filters
    const filters: Record<string, SqlValue | undefined> = {
      assistant_id: query.assistant_id,
      assistant_phone: query.assistant_phone,
      created_from: toFilterBound(query.created_from),
      created_to: toFilterBound(query.created_to),
    };
    // D-cursor-first
    const position = parsePosition(context, query.cursor, context.organization.id, filters);
    if (query.assistant_id !== undefined)
      requireKnown(context, { assistant: "id", call: "assistant_id" }, query.assistant_id);
    if (query.assistant_phone !== undefined)
      requireKnown(context, { assistant: "phone_number", call: "assistant_phone" }, query.assistant_phone);

    const conditions: [string, SqlValue | undefined][] = [
      ["organization_id = ?", context.organization.id],
      ["assistant_id = ?", filters["assistant_id"]],
      ["assistant_phone = ?", filters["assistant_phone"]],
      // `created_from` is inclusive, `created_to` is exclusive (D-call).
      ["created_at >= ?", filters["created_from"]],
      ["created_at < ?", filters["created_to"]],
    ];
    const used = conditions.filter((entry): entry is [string, SqlValue] => entry[1] !== undefined);
    const sql = used.map(([condition]) => condition);
    const values = used.map(([, value]) => value);
    if (position) {
      sql.push("(created_at, id) < (?, ?)");
      values.push(Number(position[0]), String(position[1]));
    }
    // The newest calls come first, by time and then by ID (D-limit).
    const rows = context.database
      .prepare(
        `SELECT ${listColumns} FROM calls WHERE ${sql.join(" AND ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
      )
      .all(...values, query.limit + 1)
      .map(toStoredCall);
    const page = toPage(rows, query.limit, filters, (last) => [last.createdAt, last.id]);
    return { ...page, rows: rows.slice(0, query.limit).map((call) => toCall(call, context.now)) };
  },

  "calls.create": (context, { body }) => {
    const field = body.to === undefined ? "target_phone" : "to";
    const refuseNumber = (message: string) => invalid("D-normalize", [{ path: [field], message }]);
    const destination = parseDestination(body[field] ?? "");
    if (!destination) throw refuseNumber("must be a phone number like +4915112345678 or 030 1234567");
    const assistant = requireAssistant(context, body);
    // public.operations.12d
    const to = toInternationalNumber(assistant.phoneNumber, destination);
    if (to === undefined) throw refuseNumber("must have 6 to 20 digits, including the country code");

    const obstacle = findObstacle(context, assistant, to);
    if (obstacle?.type === "blocked") {
      throw new Refusal(
        "outbound_target_blocked",
        "public.operations.12f",
        `${to} is blocked for this assistant`,
      );
    }
    if (obstacle?.type === "cooldown") {
      // This 429 has no Retry-After (public.errors.2b).
      throw new Refusal(
        "rate_limit_exceeded",
        "public.limits.1",
        `this assistant made a call less than 60 s ago; it can make the next one in ${secondsUntil(obstacle.endsAt, context.now)} s`,
      );
    }
    // The call starts as `queued` (public.call.trigger-fields, public.operations.12e).
    return {
      call_id: placeOutboundCall(context, assistant, to, body.details),
      assistant_id: assistant.id,
      assistant_phone: assistant.phoneNumber,
      to,
      status: "queued",
      created_at: isoTime(context.now),
    };
  },

  // public.call.detail
  "calls.get": (context, { path }) => toCallDetail(requireCall(context, path.call_id), context.now),
};
