import type { Database, SqlValue } from "../../base/database.js";
import { buckets, cooldownSeconds } from "../../contract/limits.js";
import { endsAfterMilliseconds, startsAfterMilliseconds } from "../public/knowledge-indexing.js";
import { ratingMilliseconds } from "../public/prompts.js";

/** A key's end lies up to a year ahead: a jump to the next event is not meant to lose a key. */
const keyHorizonMilliseconds = 7 * 24 * 60 * 60 * 1_000;

/** Nothing of a call comes so long after its end: its recording is ready by then. */
const callTailMilliseconds = 60_000;

/** Events that happen by the clock alone. */
export type ClockEvent =
  | "indexing_starts"
  | "indexing_ends"
  | "rating_ends"
  | "call_rings"
  | "call_answered"
  | "call_ends"
  | "recording_ready"
  | "cooldown_ends"
  | "limit_window_ends"
  | "key_expires"
  | "fault_expires"
  | "number_becomes_free";

interface Due {
  at: number;
  event: ClockEvent;
}

/**
 * The next events by the clock alone, and their time, in milliseconds; several may happen at the same time.
 * Undefined: nothing is due.
 */
export function nextEvent(database: Database, now: number): { at: number; events: ClockEvent[] } | undefined {
  const due = dueEvents(database, now);
  const [first] = due;
  if (!first) return undefined;
  return { at: first.at, events: due.filter(({ at }) => at === first.at).map(({ event }) => event) };
}

/** The soonest event of each kind, the soonest first. */
export function dueEvents(database: Database, now: number): Due[] {
  const first = (sql: string, ...parameters: SqlValue[]): number | undefined => {
    const time = Object.values(database.prepare(sql).get(...parameters) ?? {})[0] ?? null;
    return time === null ? undefined : Number(time);
  };
  const firstAfter = (table: string, column: string, delay = 0, more = "1") =>
    first(`SELECT min(${column}) + ? FROM ${table} WHERE ${column} > ? AND ${more}`, delay, now - delay);
  const indexing = (delay: number) =>
    firstAfter("knowledge_items", "indexing_asked_at", delay, "indexing_ends <> 'lost'");
  // By its end: of the calls that are over long since, none needs to be looked at.
  const ofCall = (column: string) =>
    first(
      `SELECT min(${column}) FROM calls WHERE ended_at > ? AND ${column} > ?`,
      now - callTailMilliseconds,
      now,
    );
  const due: (readonly [ClockEvent, number | undefined])[] = [
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
        // A bucket that counts apart has its name at its end.
        [
          "limit_window_ends",
          firstAfter("windows", "started_at", windowSeconds * 1_000, `bucket LIKE '%${name}'`),
        ] as const,
    ),
    [
      "key_expires",
      first(
        "SELECT min(expires_at) FROM keys WHERE expires_at > ? AND expires_at <= ?",
        now,
        now + keyHorizonMilliseconds,
      ),
    ],
    ["fault_expires", firstAfter("faults", "expires_at")],
    ["number_becomes_free", firstAfter("numbers", "free_at")],
  ];
  return due
    .flatMap(([event, at]) => (at === undefined ? [] : [{ at, event }]))
    .sort((one, other) => one.at - other.at)
    .filter(({ event }, index, all) => all.findIndex((other) => other.event === event) === index);
}
