import { weekOf } from "../base/iso-week.js";
import { parseTime } from "../base/time-text.js";
import type { Zone } from "../base/zone.js";
import { isRecord } from "../client/parsing.js";
import { computeFigures, type ReportedCall } from "./figures.js";
import type { Reading } from "./read-calls.js";

/** Two sums that should be equal, and why they may not be. */
export interface CheckedSum {
  what: string;
  ours: number;
  theirs: number | null;
  equal: boolean;
  /** The likely reason of a difference; null where they are equal. */
  reason: string | null;
}

/** A day in the middle of a month: its ISO week's Thursday lies in that month, whatever the month (D-stats). */
const middleDay = "15";

/**
 * Holds the list of calls against the service's statistics of the month, which count by days of UTC.
 * @param calls those of the month by UTC
 * @param local those of the month where the report is made
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
  const monthly = isRecord(data) && isRecord(data["monthly"]) ? data["monthly"] : {};
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
    what: `${what}, calls and statistics`,
    ours: own,
    theirs,
    equal: theirs === null || own === theirs,
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
  own: number;
  shown: number;
  theirs: number | null;
  isOtherMonth: boolean;
  clipped: number | null;
  zone: Zone;
}): string | null {
  if (theirs === null) return "the statistics tell no sum of the month";
  if (own === theirs) return null;
  if (isOtherMonth) return "the statistics are of another month";
  if (shown === theirs) return `the statistics count days of ${zone.name}, not of UTC`;
  if (clipped === own) return "the statistics' month counts whole weeks, which the month's ends cut";
  if (own > theirs)
    return "the list holds calls that the statistics do not count: calls may have been made meanwhile";
  return "the statistics count calls that the list does not show: those of deleted assistants, say";
}

/** The sums of the month's weeks. */
function sumWeeks(monthly: Readonly<Record<string, unknown>>, what: string): number | null {
  const weeks = monthly["weeks"];
  if (!Array.isArray(weeks)) return null;
  const name = what === "answered calls" ? "calls" : "duration_seconds";
  return weeks.filter(isRecord).reduce((sum, week) => sum + (getNumber(week, name) ?? 0), 0);
}

function getNumber(fields: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" ? value : null;
}
