import { isFields } from "../../base/fields.js";
import { weekOf } from "../../base/iso-week.js";
import { parseTime } from "../../base/time-text.js";
import type { Zone } from "../../base/zone.js";
import { computeFigures, type ReportedCall } from "./figures.js";
import type { Reading } from "./read-calls.js";

export interface CheckedSum {
  what: string;
  /** A sum is null if the service returns no such numbers. */
  ours: number | null;
  theirs: number | null;
  /** Also true if a sum is null. */
  equal: boolean;
  /** Likely cause of the difference, or the reason why a sum is null; null if the sums match. */
  reason: string | null;
}

/**
 * Day that selects the month: the service returns the month of the week's Thursday (D-stats). In the week of
 * the 15th, the Thursday is always in the same month.
 */
const middleDay = "15";

/**
 * The service's statistics are in UTC.
 * @param calls calls of the month in UTC
 * @param local calls of the month in the report's time zone
 * @throws ClientError
 */
export async function checkCalls(
  { client, signal }: Reading,
  { month, zone, assistantId }: { month: string; zone: Zone; assistantId: string | undefined },
  calls: readonly ReportedCall[],
  local: readonly ReportedCall[],
): Promise<CheckedSum[]> {
  const { year, week } = weekOf(parseTime(`${month}-${middleDay}T00:00:00Z`));
  const query = { year, week, assistant_id: assistantId ?? "all" };
  const { data } = await client.call("statistics.usage", { query }, { signal });
  const monthly = isFields(data) && isFields(data["monthly"]) ? data["monthly"] : {};
  const [ours, here] = [computeFigures(calls), computeFigures(local)];
  const statedMonth = monthly["month"];
  const isOtherMonth = typeof statedMonth === "string" && statedMonth !== month;
  const sums = [
    {
      what: "answered calls",
      ours: ours.answered,
      here: here.answered,
      theirs: getNumber(monthly, "total_calls"),
    },
    {
      what: "billable seconds",
      ours: ours.billable_seconds,
      here: here.billable_seconds,
      theirs: getNumber(monthly, "total_duration_seconds"),
    },
  ];
  return sums.map(({ what, ours: own, here: shown, theirs }) => ({
    what: `${what} (UTC) in calls and in statistics`,
    ours: own,
    theirs,
    equal: own === null || theirs === null || own === theirs,
    reason: findReason({ own, shown, theirs, isOtherMonth, clipped: sumWeeks(monthly, what), zone }),
  }));
}

function findReason({
  own,
  shown,
  theirs,
  isOtherMonth,
  clipped,
  zone,
}: {
  own: number | null;
  shown: number | null;
  theirs: number | null;
  isOtherMonth: boolean;
  clipped: number | null;
  zone: Zone;
}): string | null {
  if (theirs === null) return "the statistics have no data for the month";
  if (own === null) return "the list of calls has no durations";
  if (own === theirs) return null;
  if (isOtherMonth) return "the statistics are for a different month";
  if (shown === theirs) return `the statistics count days in ${zone.name} instead of UTC`;
  if (clipped === own) return "the statistics include whole weeks at the start and end of the month";
  if (own > theirs) return "the list contains calls that are not in the statistics, such as recent ones";
  return "the statistics include calls that are not in the list, such as those of deleted assistants";
}

/** The month's weeks may include days of other months. */
function sumWeeks(monthly: Readonly<Record<string, unknown>>, what: string): number | null {
  const weeks = monthly["weeks"];
  if (!Array.isArray(weeks)) return null;
  const name = what === "answered calls" ? "calls" : "duration_seconds";
  return weeks.filter(isFields).reduce((sum, week) => sum + (getNumber(week, name) ?? 0), 0);
}

function getNumber(fields: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" ? value : null;
}
