import { getText } from "../../../base/fields.js";
import { formatCount } from "../../../base/text.js";
import type { Input } from "../../../cli/session/input.js";
import { assistant } from "../../../cli/session/references/assistant.js";
import { resolveReference } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import { createCallEnds } from "../../../client/call-status.js";
import type { CallReport, CheckedSum, Reading, Zone } from "../index.js";
import { getMonthIn, readZone } from "./month.js";
import { type MonthlyReport, runMonthlyReport } from "./monthly-report.js";

export const callGroupings = ["assistant", "day", "hour", "outcome"] as const;

const unreadableCalendars =
  "the API key has no permission to read calendars, so the opening hours of all assistants are unknown";
const ends = createCallEnds();
const judge = { isOver: ends.isOver, isAnswered: ends.isAsExpected };

export function runCallReport(session: Session, input: Input): Promise<void> {
  return runMonthlyReport(session, input, async ({ getMonth, reading, getServiceName }) => {
    const { client } = reading;
    const by = callGroupings.find((grouping) => grouping === input.text("by")) ?? "assistant";
    const reports = await import("../index.js");
    const assistantName = input.text("assistant");
    const assistantId =
      assistantName === undefined
        ? undefined
        : await resolveReference(client, assistant, assistantName, "--assistant", session);
    const assistants = (await reports.readAll(reading, "assistants.list")) ?? [];
    const readableCalendars = await reports.readAll(reading, "calendars.list");
    const calendars = readableCalendars ?? [];
    const timezone = input.text("timezone");
    const zone =
      timezone === undefined
        ? (findMostCommonZone(calendars, reports.createZone) ?? reports.createZone("UTC"))
        : await readZone(timezone, "--timezone");
    const month = getMonth(zone);
    const previousMonth = reports.addMonths(month, -1);
    const [range, before] = [reports.monthIn(zone, month), reports.monthIn(zone, previousMonth)];
    const calls = await reports.readCalls(reading, { ...range, assistantId }, judge);
    const previous = await reports.readCalls(reading, { ...before, assistantId }, judge);
    const now = session.serviceNow();
    const report = reports.buildCallReport(calls, previous, {
      ...range,
      // Omit future days.
      to: Math.max(range.from + 1, Math.min(range.to, now)),
      month,
      previousMonth,
      zone,
      by,
      names: new Map(
        assistants.map((assistantRow) => [
          String(assistantRow["id"]),
          getText(assistantRow, "name") || String(assistantRow["id"]),
        ]),
      ),
      hours: reports.createOpeningHours(assistants, calendars),
    });
    const checks =
      input.on("check") === true ? await checkSums(reading, { month, zone, assistantId }, calls) : [];
    const currentMonth = getMonthIn(zone, now);
    const monthly = await toMonthlyReport(report, getServiceName("public"), currentMonth);
    const notes = readableCalendars ? monthly.notes : [...monthly.notes, unreadableCalendars];
    return { report: { ...monthly, notes }, checks };
  });
}

async function checkSums(
  reading: Reading,
  { month, zone, assistantId }: { month: string; zone: Zone; assistantId: string | undefined },
  local: Parameters<typeof import("../index.js")["checkCalls"]>[3],
): Promise<CheckedSum[]> {
  const { checkCalls, createZone, monthIn, readCalls } = await import("../index.js");
  const calls = await readCalls(reading, { ...monthIn(createZone("UTC"), month), assistantId }, judge);
  return checkCalls(reading, { month, zone, assistantId }, calls, local);
}

async function toMonthlyReport(
  report: CallReport,
  where: string,
  currentMonth: string,
): Promise<MonthlyReport> {
  const { buildComparison, buildGroupTable, buildMissedTable } = await import("../index.js");
  const { month, by, lines, hours, timezone, total } = report;
  const open = total.open > 0 ? [`${formatCount(total.open, "call")} in progress`] : [];
  const byDay = lines.map(({ key, calls, answered, open: notOver }) => ({
    label: key,
    value: calls,
    marked: calls - answered - notOver,
  }));
  return {
    title: `Calls in ${month}`,
    month,
    source: `${where}, time zone ${timezone}`,
    currentMonth,
    notes: open,
    data: report,
    rows: lines,
    tables: [buildComparison(report), buildGroupTable(report), buildMissedTable(report)],
    charts: [
      {
        title: "Calls by hour",
        marking: "missed",
        bars: hours.map(({ hour, calls, missed }) => ({
          label: `${String(hour).padStart(2, "0")}:00`,
          value: calls,
          marked: missed,
        })),
      },
      ...(by === "day" ? [{ title: "Calls by day", marking: "unanswered", bars: byDay }] : []),
    ],
  };
}

/** Ignores time zones that this version of Node.js doesn't know. */
function findMostCommonZone(
  calendars: readonly Readonly<Record<string, unknown>>[],
  createZone: (name: string) => Zone,
): Zone | undefined {
  const counts = new Map<string, number>();
  for (const calendar of calendars) {
    const zone = getText(calendar, "timezone");
    if (zone !== "") counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  for (const [name] of [...counts].sort(([, left], [, right]) => right - left))
    try {
      return createZone(name);
    } catch {
      // Try the next most common time zone.
    }
  return undefined;
}
