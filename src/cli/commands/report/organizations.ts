import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { msp, organization } from "../../session/references/organization.js";
import { readAll } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { isRunning } from "../distributor/running.js";
import { monthFlag } from "./month.js";
import { byFlag, checkFlag, reportFormats, runReport } from "./show.js";

const groupings = ["organization", "day"] as const;
const description =
  "Over all organizations of the distributor, by their names, beside the month before. Days and months are UTC. " +
  "--check holds usage and billing against each other and names the likely reason of a difference.";

/** `voxctl report usage` */
export const reportUsage: Command = {
  name: "usage",
  summary: "Sum up what a distributor's organizations called in a month",
  description,
  formats: reportFormats,
  flags: [monthFlag, byFlag(groupings), checkFlag],
  examples: [
    { command: "voxctl report usage --by day" },
    { command: "voxctl report usage -o xlsx > usage.xlsx", note: "for a spreadsheet" },
  ],
  verdict: true,
  run: (session, input) => run(session, input, "usage"),
};

/** `voxctl report billing` */
export const reportBilling: Command = {
  name: "billing",
  summary: "Sum up what a distributor's organizations are billed for a month",
  description,
  formats: reportFormats,
  flags: [monthFlag, checkFlag],
  examples: [
    { command: "voxctl report billing" },
    { command: "voxctl report billing --check", note: "do usage and billing agree?" },
  ],
  verdict: true,
  run: (session, input) => run(session, input, "billing"),
};

type Subject = "usage" | "billing";

function run(session: Session, input: Input, subject: Subject): Promise<void> {
  return runReport(session, input, async ({ month, reading, where }) => {
    const by = groupings.find((one) => one === input.text("by")) ?? "organization";
    const isChecking = input.on("check") === true;
    const reports = await import("../../../report/index.js");
    const { client } = reading;
    const names = new Map<string, string>();
    for await (const { id, name, otherName } of readAll(client, organization, session))
      names.set(id, otherName ?? name);
    const msps: string[] = [];
    if (subject === "billing" || isChecking)
      for await (const { id } of readAll(client, msp, session)) msps.push(id);
    const read = async (from: Subject, of: string) =>
      from === "usage"
        ? reports.readUsage(reading, of)
        : reports.billedRecords(await reports.readBilling(reading, msps, of));
    const before = reports.addMonths(month, -1);
    const records = await read(subject, month);
    const previous = { month: before, records: await read(subject, before) };
    const report = reports.reportOrganizations(month, by, records, previous, names);
    const other = isChecking ? await read(subject === "usage" ? "billing" : "usage", month) : [];
    const sides = subject === "usage" ? ([records, other] as const) : ([other, records] as const);
    const title = subject === "usage" ? "Usage" : "Billing";
    return {
      checks: isChecking ? reports.checkOrganizations(...sides) : [],
      report: {
        title: `${title} in ${month}`,
        source: `${where("distributor-v2")}, days of UTC`,
        isSoFar: isRunning(month, session.serviceNow()),
        notes: [],
        data: report,
        rows: report.lines,
        tables: reports.organizationTables(report, title),
        charts: [
          {
            title: by === "day" ? "Days" : "Largest",
            svg: reports.barChart(
              `Calls by ${by}`,
              report.lines.slice(0, 31).map(({ key, name, calls }) => ({
                label: by === "day" ? key.slice(8) : name.slice(0, 12),
                value: calls ?? 0,
                marked: 0,
              })),
            ),
          },
        ],
      },
    };
  });
}
