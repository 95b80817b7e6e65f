import type { Database, SqlValue } from "../../base/database.js";
import type { ClockEvent } from "../../contract/control/clock-events.js";
import { buckets, cooldownSeconds } from "../../contract/limits.js";
import { endsAfterMilliseconds, startsAfterMilliseconds } from "../public/knowledge-indexing.js";
import { ratingMilliseconds } from "../public/prompts.js";

/**
 * Without `until`, keys that expire later than this time from now are ignored. Otherwise, a jump to the next
 * event could skip a whole year.
 */
const keyHorizonMilliseconds = 7 * 24 * 60 * 60 * 1_000;

/**
 * Upper bound for the time from a call's end until its recording is ready, which is the call's last event.
 */
const callTailMilliseconds = 60_000;

interface Due {
  at: number;
  event: ClockEvent;
  count: number;
}

export function findNextEvent(
  database: Database,
  now: number,
): { at: number; events: ClockEvent[] } | undefined {
  const due = listDueEvents(database, now);
  const [first] = due;
  if (!first) return undefined;
  return { at: first.at, events: due.filter(({ at }) => at === first.at).map(({ event }) => event) };
}

/** @param until latest time (default: none, but keys must expire within `keyHorizonMilliseconds`) */
export function listDueEvents(database: Database, now: number, until?: number): Due[] {
  const last = until ?? Number.MAX_SAFE_INTEGER;
  const first = (sql: string, ...parameters: SqlValue[]) => {
    const { at = null, count } = database.prepare(sql).get(...parameters) ?? {};
    return at === null ? undefined : { at: Number(at), count: Number(count) };
  };
  const firstAfter = (table: string, column: string, delay = 0, more = "1") =>
    first(
      `SELECT min(${column}) + ? AS at, count(*) AS count FROM ${table}
        WHERE ${column} > ? AND ${column} <= ? AND ${more}`,
      delay,
      now - delay,
      last - delay,
    );
  const indexing = (delay: number) =>
    firstAfter("knowledge_items", "indexing_asked_at", delay, "indexing_ends <> 'lost'");
  // Skip calls that ended long ago, because they have no more events.
  const ofCall = (column: string) =>
    first(
      `SELECT min(${column}) AS at, count(*) AS count FROM calls
        WHERE ended_at > ? AND ${column} > ? AND ${column} <= ?`,
      now - callTailMilliseconds,
      now,
      last,
    );
  const due: (readonly [ClockEvent, { at: number; count: number } | undefined])[] = [
    ["indexing_starts", indexing(startsAfterMilliseconds)],
    ["indexing_ends", indexing(endsAfterMilliseconds)],
    ["rating_ends", firstAfter("prompts", "rating_asked_at", ratingMilliseconds)],
    ["call_rings", ofCall("rings_at")],
    ["call_answered", ofCall("answered_at")],
    ["call_ends", ofCall("ended_at")],
    ["recording_ready", ofCall("recorded_at")],
    ["cooldown_ends", firstAfter("calls", "created_at", cooldownSeconds * 1_000, "direction = 'outbound'")],
    ...Object.entries(buckets).map(
      ([name, { windowSeconds }]) =>
        // The name of a counter ends with the name of its bucket: `mcp_read` uses the bucket `read`.
        [
          "limit_window_ends",
          firstAfter("windows", "started_at", windowSeconds * 1_000, `bucket LIKE '%${name}'`),
        ] as const,
    ),
    [
      "key_expires",
      first(
        "SELECT min(expires_at) AS at, count(*) AS count FROM keys WHERE expires_at > ? AND expires_at <= ?",
        now,
        until ?? now + keyHorizonMilliseconds,
      ),
    ],
    ["fault_expires", firstAfter("faults", "expires_at")],
    ["number_becomes_free", firstAfter("numbers", "free_at")],
  ];
  return mergeEvents(
    due.flatMap(([event, occurrence]) => (occurrence === undefined ? [] : [{ event, ...occurrence }])),
  );
}

function mergeEvents(due: readonly Due[]): Due[] {
  const dueByEvent = new Map<ClockEvent, Due>();
  for (const { event, at, count } of [...due].sort((left, right) => left.at - right.at)) {
    const soonest = dueByEvent.get(event);
    if (soonest) soonest.count += count;
    else dueByEvent.set(event, { event, at, count });
  }
  return [...dueByEvent.values()];
}
