import type { Database, SqlValue } from "../../base/database.js";
import { buckets, cooldownSeconds } from "../../contract/limits.js";
import { endsAfterMilliseconds, startsAfterMilliseconds } from "../public/knowledge-indexing.js";
import { ratingMilliseconds } from "../public/prompts.js";

/** Nothing of a call comes so long after its end: its recording is ready by then. */
const callTailMilliseconds = 60_000;

/**
 * When something happens next by the clock alone, in milliseconds: an indexing that starts or ends, a rating, a step
 * of a call or its recording, the end of a window, cooldown, key or fault, a number that becomes free. Undefined: nothing.
 */
export function nextEvent(database: Database, now: number): number | undefined {
  const first = (sql: string, ...parameters: SqlValue[]): number[] => {
    const time = Object.values(database.prepare(sql).get(...parameters) ?? {})[0] ?? null;
    return time === null ? [] : [Number(time)];
  };
  const firstAfter = (table: string, column: string, delay = 0, more = "1") =>
    first(`SELECT min(${column}) + ? FROM ${table} WHERE ${column} > ? AND ${more}`, delay, now - delay);
  // By its end: of the calls that are over long since, none needs to be looked at.
  const ofCall = (column: string) =>
    first(
      `SELECT min(${column}) FROM calls WHERE ended_at > ? AND ${column} > ?`,
      now - callTailMilliseconds,
      now,
    );
  const times = [
    ...firstAfter("knowledge_items", "indexing_asked_at", startsAfterMilliseconds, "indexing_ends <> 'lost'"),
    ...firstAfter("knowledge_items", "indexing_asked_at", endsAfterMilliseconds, "indexing_ends <> 'lost'"),
    ...firstAfter("prompts", "rating_asked_at", ratingMilliseconds),
    ...["rings_at", "answered_at", "ended_at", "recorded_at"].flatMap(ofCall),
    ...firstAfter("calls", "created_at", cooldownSeconds * 1_000, "direction = 'outbound'"),
    ...Object.entries(buckets).flatMap(([name, { windowSeconds }]) =>
      // What counts apart has the bucket's name at its end.
      firstAfter("windows", "started_at", windowSeconds * 1_000, `bucket LIKE '%${name}'`),
    ),
    ...firstAfter("keys", "expires_at"),
    ...firstAfter("faults", "expires_at"),
    ...firstAfter("numbers", "free_at"),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}
