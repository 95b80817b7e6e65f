/** Each query reads only a covering index (schema/calls.ts). */
import type { Database, SqlValue } from "../../base/database.js";
import { mondayOffset, weekMilliseconds, weekStartAt } from "../../base/iso-week.js";

/** Calls that end after `now` don't count. */
export interface Counted {
  organizationId: string;
  /** Undefined selects the calls of all assistants, including deleted assistants. */
  assistantId: string | undefined;
  now: number;
}

export interface Count {
  calls: number;
  /** Billable seconds (public.operations.16c). */
  seconds: number;
}

/** A time range in milliseconds; `start` is inclusive and `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A call counts as at least one minute (public.operations.16c). */
const sums = "count(*) AS calls, coalesce(sum(max(duration_seconds, 60)), 0) AS seconds";

/**
 * Returns the counts by interval of `step.length` milliseconds, without empty intervals; interval 0 starts at
 * `step.origin`.
 */
export function countBySteps(
  database: Database,
  counted: Counted,
  span: Span,
  step: { origin: number; length: number },
): Map<number, Count> {
  const { sql, values } = conditions(counted, span);
  const rows = database
    .prepare(
      `SELECT CAST((created_at - ?) / ? AS INTEGER) AS step, ${sums} FROM calls WHERE ${sql} GROUP BY step ORDER BY step`,
    )
    .all(step.origin, step.length, ...values);
  return new Map(
    rows.map((row) => [
      Number(row["step"]),
      { calls: Number(row["calls"]), seconds: Number(row["seconds"]) },
    ]),
  );
}

/** Returns the counts for ISO weeks, by the week's Monday. Weeks without calls are omitted. */
export function countByWeeks(database: Database, counted: Counted, span: Span): Map<number, Count> {
  const steps = countBySteps(database, counted, span, { origin: -mondayOffset, length: weekMilliseconds });
  return new Map([...steps].map(([step, count]) => [step * weekMilliseconds - mondayOffset, count]));
}

/** Returns the Mondays of all weeks with a completed call, newest first. */
export function weeksWithCalls(database: Database, counted: Counted): number[] {
  const newestBefore = database.prepare(
    `SELECT created_at FROM calls WHERE ${conditions(counted, { start: 0, end: 0 }).sql} ORDER BY created_at DESC LIMIT 1`,
  );
  const weeks: number[] = [];
  let end = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const row = newestBefore.get(...conditions(counted, { start: 0, end }).values);
    if (!row) return weeks;
    end = weekStartAt(Number(row["created_at"]));
    weeks.push(end);
  }
}

export function sumCounts(counts: Iterable<Count>): Count {
  const total = { calls: 0, seconds: 0 };
  for (const { calls, seconds } of counts) {
    total.calls += calls;
    total.seconds += seconds;
  }
  return total;
}

function conditions(counted: Counted, span: Span): { sql: string; values: SqlValue[] } {
  const ofAssistant = counted.assistantId === undefined ? "" : " AND assistant_id = ?";
  return {
    sql: `organization_id = ?${ofAssistant} AND outcome = 'completed' AND created_at >= ? AND created_at < ? AND ended_at <= ?`,
    values: [
      counted.organizationId,
      ...(counted.assistantId === undefined ? [] : [counted.assistantId]),
      span.start,
      span.end,
      counted.now,
    ],
  };
}
