import type { Input } from "../../../cli/session/input.js";
import { msp, organization } from "../../../cli/session/references/organization.js";
import { readAll } from "../../../cli/session/references/references.js";
import type { Session } from "../../../cli/session/session.js";
import { getMonthIn } from "./month.js";
import { runMonthlyReport } from "./monthly-report.js";

export const organizationGroupings = ["organization", "day"] as const;
/** Maximum number of bars; enough for each day of a month. */
const maxBars = 31;
type Subject = "usage" | "billing";

export function runOrganizationReport(session: Session, input: Input, subject: Subject): Promise<void> {
  return runMonthlyReport(session, input, async ({ getMonth, reading, getServiceName }) => {
    const by = organizationGroupings.find((grouping) => grouping === input.text("by")) ?? "organization";
    const isChecking = input.on("check") === true;
    const reports = await import("../index.js");
    const { client } = reading;
    const names = new Map<string, string>();
    for await (const { id, name, otherName: displayName } of readAll(client, organization, session))
      names.set(id, displayName ?? name);
    const zone = reports.createZone("UTC");
    const month = getMonth(zone);
    const msps: string[] = [];
    if (subject === "billing" || isChecking)
      for await (const { id } of readAll(client, msp, session)) msps.push(id);
    const read = async (from: Subject, of: string) =>
      from === "usage"
        ? reports.readUsage(reading, of)
        : reports.listBilledRecords(await reports.readBilling(reading, msps, of));
    const before = reports.addMonths(month, -1);
    const records = await read(subject, month);
    const previous = { month: before, records: await read(subject, before) };
    const report = reports.buildOrganizationReport(month, by, records, previous, names);
    const compared = isChecking ? await read(subject === "usage" ? "billing" : "usage", month) : [];
    const sides = subject === "usage" ? ([records, compared] as const) : ([compared, records] as const);
    const title = subject === "usage" ? "Usage" : "Billing";
    return {
      checks: isChecking ? reports.checkOrganizations(...sides) : [],
      report: {
        title: `${title} in ${month}`,
        month,
        source: `${getServiceName("distributor-v2")}, time zone UTC`,
        currentMonth: getMonthIn(zone, session.serviceNow()),
        notes: [],
        data: report,
        rows: report.lines,
        tables: reports.buildOrganizationTables(report, title),
        charts: [
          {
            title: `Calls by ${by}${report.lines.length > maxBars ? ` (first ${maxBars} of ${report.lines.length})` : ""}`,
            bars: report.lines
              .slice(0, maxBars)
              .map(({ name, calls }) => ({ label: name, value: calls ?? 0, marked: 0 })),
          },
        ],
      },
    };
  });
}
