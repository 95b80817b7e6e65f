import {
  dayMilliseconds,
  hourMilliseconds,
  isoDate,
  monthAround,
  weekMilliseconds,
  weekOf,
  weekStart,
} from "../../base/iso-week.js";
import type { statistics, Usage } from "../../contract/public/statistics.js";
import { type Counted, countBySteps, countByWeeks, sumCounts, weeksWithCalls } from "../calls/counting.js";
import type { Handlers, PublicContext } from "../context.js";
import { invalid, notFound } from "../refusal.js";

/**
 * @throws Refusal not_found if the assistant belongs to another organization or was deleted
 * (public.operations.16b, D-stats)
 */
function countedCalls(context: PublicContext, assistantId: string): Counted {
  const organizationId = context.organization.id;
  if (assistantId === "all") return { organizationId, assistantId: undefined, now: context.now };
  const known = context.database
    .prepare("SELECT 1 FROM assistants WHERE id = ? AND organization_id = ?")
    .get(assistantId, organizationId);
  if (!known) throw notFound(`the assistant ${assistantId}`, "public.operations.16b");
  return { organizationId, assistantId, now: context.now };
}

function weekly(context: PublicContext, counted: Counted, monday: number): Usage["weekly"] {
  const span = { start: monday, end: monday + weekMilliseconds };
  const counts = countBySteps(context.database, counted, span, { origin: monday, length: dayMilliseconds });
  const total = sumCounts(counts.values());
  return {
    total_calls: total.calls,
    total_duration_seconds: total.seconds,
    // List all seven days (D-stats).
    days: Array.from({ length: 7 }, (_, day) => ({
      date: isoDate(monday + day * dayMilliseconds),
      calls: counts.get(day)?.calls ?? 0,
      duration_seconds: counts.get(day)?.seconds ?? 0,
    })),
  };
}

function monthly(context: PublicContext, counted: Counted, monday: number): Usage["monthly"] {
  // Use the month that contains the week's Thursday. Count only days of this month (D-stats).
  const month = monthAround(monday + 3 * dayMilliseconds);
  const counts = countByWeeks(context.database, counted, month);
  const total = sumCounts(counts.values());
  return {
    month: month.month,
    total_calls: total.calls,
    total_duration_seconds: total.seconds,
    weeks: [...counts].map(([start, { calls, seconds }]) => {
      const { week, year } = weekOf(start);
      return { week, year, calls, duration_seconds: seconds };
    }),
  };
}

/**
 * Returns the counts for the last 24 hours. They don't depend on the requested week (public.operations.16d).
 */
function lastDay(
  context: PublicContext,
  counted: Counted,
): Pick<Usage, "last_24h" | "hourly_call_counts_last_24h"> {
  // An hour excludes its start and includes its end, so add one millisecond: times are whole milliseconds
  // (D-stats).
  const start = context.now - dayMilliseconds + 1;
  const span = { start, end: context.now + 1 };
  const counts = countBySteps(context.database, counted, span, { origin: start, length: hourMilliseconds });
  const total = sumCounts(counts.values());
  return {
    last_24h: { total_calls: total.calls, total_duration_seconds: total.seconds },
    hourly_call_counts_last_24h: Array.from({ length: 24 }, (_, hour) => counts.get(hour)?.calls ?? 0),
  };
}

export const statisticsHandlers: Handlers<typeof statistics> = {
  // public.operations.15
  "statistics.summary": (context) => {
    const organizationId = context.organization.id;
    const weeks = weeksWithCalls(context.database, {
      organizationId,
      assistantId: undefined,
      now: context.now,
    });
    const assistants = context.database
      .prepare("SELECT id, name FROM assistants WHERE organization_id = ? ORDER BY id")
      .all(organizationId);
    return {
      weeks: weeks.map((monday) => {
        const { week, year } = weekOf(monday);
        return { week, year };
      }),
      assistants: assistants.map((row) => ({ id: row["id"], name: row["name"] })),
    };
  },

  "statistics.usage": (context, { query }) => {
    const { week, year, assistant_id } = query;
    const monday = weekStart({ week, year });
    if (monday === undefined) {
      throw invalid("D-stats", [{ path: ["week"], message: `must be at most 52 in ${year}` }]);
    }
    const counted = countedCalls(context, assistant_id);
    return {
      week,
      year,
      assistant_id,
      weekly: weekly(context, counted, monday),
      monthly: monthly(context, counted, monday),
      ...lastDay(context, counted),
    };
  },
};
