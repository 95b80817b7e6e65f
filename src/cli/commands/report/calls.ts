import { parseTime } from "../../../base/time-text.js";
import type { CallReport, CheckedSum, Reading, Zone } from "../../../report/index.js";
import { textIn } from "../../output/fields.js";
import type { Input } from "../../session/input.js";
import { assistant } from "../../session/references/assistant.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { createCallEnds } from "../calls/call/status.js";
import { readZone } from "./month.js";
import { type Report, runReport } from "./show.js";

export const callGroupings = ["assistant", "day", "hour", "outcome"] as const;

const ends = createCallEnds();
const judge = { isOver: ends.isOver, isAnswered: ends.isAsExpected };

/** Reports a month's calls: how many were answered, how long they took, which were missed. */
export function runCallReport(session: Session, input: Input): Promise<void> {
  return runReport(session, input, async ({ month, reading, where }) => {
    const { client } = reading;
    const by = callGroupings.find((one) => one === input.text("by")) ?? "assistant";
    const reports = await import("../../../report/index.js");
    const asked = input.text("assistant");
    const assistantId =
      asked === undefined
        ? undefined
        : await resolveReference(client, assistant, asked, "--assistant", session);
    const [assistants, calendars] = [
      await reports.readAll(reading, "assistants.list"),
      await reports.readAll(reading, "calendars.list"),
    ];
    const zone = await readZone(input.text("timezone") ?? mostCommonZone(calendars) ?? "UTC", "--timezone");
    const previousMonth = reports.addMonths(month, -1);
    const [range, before] = [reports.monthIn(zone, month), reports.monthIn(zone, previousMonth)];
    const calls = await reports.readCalls(reading, { ...range, assistantId }, judge);
    const previous = await reports.readCalls(reading, { ...before, assistantId }, judge);
    const report = reports.reportCalls(calls, previous, {
      ...range,
      // Days that are yet to come are no lines.
      to: Math.max(range.from + 1, Math.min(range.to, session.serviceNow())),
      month,
      previousMonth,
      zone,
      by,
      names: new Map(assistants.map((one) => [String(one["id"]), textIn(one, "name") || String(one["id"])])),
      hours: reports.openingHours(assistants, calendars),
    });
    const checks =
      input.on("check") === true ? await check(reading, { month, zone, assistantId }, calls) : [];
    // By what was read: the clock has gone on since.
    const isSoFar = parseTime(report.to) < range.to;
    return { report: await shown(report, where("public"), isSoFar), checks };
  });
}

async function check(
  reading: Reading,
  { month, zone, assistantId }: { month: string; zone: Zone; assistantId: string | undefined },
  local: Parameters<typeof import("../../../report/index.js")["checkCalls"]>[3],
): Promise<CheckedSum[]> {
  const { checkCalls, createZone, monthIn, readCalls } = await import("../../../report/index.js");
  const calls = await readCalls(reading, { ...monthIn(createZone("UTC"), month), assistantId }, judge);
  return checkCalls(reading, { month, zone, assistantId }, calls, local);
}

async function shown(report: CallReport, where: string, isSoFar: boolean): Promise<Report> {
  const { barChart, comparison, groupTable, missedTable } = await import("../../../report/index.js");
  const { month, by, lines, hours, timezone, total } = report;
  const open = total.open > 0 ? [`${total.open} of the calls are not over yet`] : [];
  return {
    title: `Calls in ${month}`,
    source: `${where}, days and hours of ${timezone}`,
    isSoFar,
    notes: open,
    data: report,
    rows: lines,
    tables: [comparison(report), groupTable(report), missedTable(report)],
    charts: [
      {
        title: "Hours of the day, missed calls marked",
        svg: barChart(
          "Calls by hour of the day",
          hours.map(({ hour, calls, missed }) => ({ label: String(hour), value: calls, marked: missed })),
        ),
      },
      ...(by === "day"
        ? [
            {
              title: "Days, calls without an answer marked",
              svg: barChart(
                "Calls by day",
                lines.map(({ key, calls, answered, open: notOver }) => ({
                  label: key.slice(8),
                  value: calls,
                  marked: calls - answered - notOver,
                })),
              ),
            },
          ]
        : []),
    ],
  };
}

/** The time zone that most calendars have. */
function mostCommonZone(calendars: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const counts = new Map<string, number>();
  for (const calendar of calendars) {
    const zone = textIn(calendar, "timezone");
    if (zone !== "") counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
