import { createInvalid, createNotFound, type Fields, type ServiceResponse } from "./exchange.js";
import type { Call } from "./service.js";
import { fieldsOf, type ServiceState, type Setting } from "./service-state.js";

/** Number of calls and their duration in seconds in the test's week. */
export const counted = { calls: 7, seconds: 1_260 } as const;

export function statisticsSummary(state: ServiceState, { behavior }: Setting): ServiceResponse {
  const assistants = state.rows("assistants").map((row) => ({ id: row.id, name: fieldsOf(row)["name"] }));
  const weeks = [{ week: 10, year: 2026 }];
  const renamed = { periods: weeks, lines: assistants };
  return {
    status: 200,
    body: { data: behavior.statisticsShape === "other names" ? renamed : { weeks, assistants } },
  };
}

export function statisticsUsage(
  state: ServiceState,
  { behavior }: Setting,
  { query }: Call,
): ServiceResponse {
  const [week, year] = [Number(query.get("week")), Number(query.get("year"))];
  const assistantId = query.get("assistant_id") ?? "";
  // public.operations.16
  if (!Number.isInteger(week) || week < 1 || week > 53) throw createInvalid("week", "week must be 1 to 53");
  if (!Number.isInteger(year) || year < 2020 || year > 2100)
    throw createInvalid("year", "year must be 2020 to 2100");
  if (assistantId !== "all" && state.get("assistants", assistantId) === undefined)
    throw createNotFound("the assistant");
  const { calls, seconds } = counted;
  const hours = Array.from({ length: 24 }, (_, hour) => (hour < calls ? 1 : 0));
  const totals: Fields = { total_calls: calls, total_duration_seconds: seconds };
  const usual = {
    week,
    year,
    assistant_id: assistantId,
    weekly: { ...totals, days: [{ date: "2026-03-02", calls, duration_seconds: seconds }] },
    monthly: {
      month: "2026-03",
      ...totals,
      weeks: [{ week: 10, year: 2026, calls, duration_seconds: seconds }],
    },
    last_24h: totals,
    hourly_call_counts_last_24h: hours,
  };
  const renamed = {
    period: { iso_week: week, iso_year: year },
    week_breakdown: { count: calls, billable_seconds: seconds },
    month_breakdown: { count: calls, billable_seconds: seconds },
    // The documents specify this name.
    hourly_call_counts_last_24h: hours,
  };
  return { status: 200, body: { data: behavior.statisticsShape === "other names" ? renamed : usual } };
}
