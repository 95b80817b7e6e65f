import type { Row } from "../../base/database.js";
import { parseTime } from "../../base/time-text.js";
import { refuse } from "./policy.js";

/** In milliseconds since 1970; includes `start` but not `end`. */
export interface Period {
  start: number;
  end: number;
}

export interface Totals {
  calls: number;
  durationSeconds: number;
  billableSeconds: number;
}

/** Completed calls, by time of creation. Placeholders: start, end, now (D-stats). */
export const completedCalls =
  "calls.outcome = 'completed' AND calls.created_at >= ? AND calls.created_at < ? AND calls.ended_at <= ?";

/** Each call is billed for at least 60 seconds (v2.usage, D-stats). */
export const totalsColumns = `count(*) AS calls, coalesce(sum(calls.duration_seconds), 0) AS duration,
  coalesce(sum(max(calls.duration_seconds, 60)), 0) AS billable`;

export function toTotals(row: Row): Totals {
  return {
    calls: Number(row["calls"] ?? 0),
    durationSeconds: Number(row["duration"] ?? 0),
    billableSeconds: Number(row["billable"] ?? 0),
  };
}

export function sumTotals(parts: readonly Totals[]): Totals {
  const sum = { calls: 0, durationSeconds: 0, billableSeconds: 0 };
  for (const part of parts) {
    sum.calls += part.calls;
    sum.durationSeconds += part.durationSeconds;
    sum.billableSeconds += part.billableSeconds;
  }
  return sum;
}

const dayMilliseconds = 86_400_000;
const maximumDays = 92; // D-v2-usage

/**
 * Both days are included (UTC).
 * @throws Refusal INVALID_DATE_RANGE, DATE_RANGE_TOO_LARGE (v1.errors.range, D-v2-usage)
 */
export function toDayPeriod(from: string, to: string, rule: string): Period {
  const start = parseTime(`${from}T00:00:00Z`);
  const end = parseTime(`${to}T00:00:00Z`) + dayMilliseconds;
  if (end <= start) throw refuse("INVALID_DATE_RANGE", rule, `"from" (${from}) is after "to" (${to})`);
  const days = (end - start) / dayMilliseconds;
  if (days > maximumDays) {
    throw refuse(
      "DATE_RANGE_TOO_LARGE",
      rule,
      `the range of ${days} days is too long; use at most ${maximumDays} days`,
    );
  }
  return { start, end };
}

/** Returns the period of a month in UTC, by default the current month (D-v2-billing). */
export function toMonthPeriod(
  requestedMonth: string | undefined,
  now: number,
): { month: string; period: Period } {
  const month = requestedMonth ?? new Date(now).toISOString().slice(0, 7);
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { month, period: { start: startOfMonth(year, number - 1), end: startOfMonth(year, number) } };
}

/** Not Date.UTC, because it treats the years 0 to 99 as 1900 to 1999. */
function startOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}
