import type { Reading } from "../../../report/index.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { msp, organization } from "../../session/references/organization.js";
import { readAll } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { isRunning } from "../distributor/running.js";
import { monthFlag, readMonth, runningNote } from "./month.js";
import { assertEqual, assertWritable, checkFlag, reportFormats, showReport } from "./show.js";

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
  flags: [
    monthFlag,
    {
      name: "by",
      value: "what",
      description: "a line for each",
      choices: groupings,
      strict: true,
      default: "organization",
    },
    checkFlag,
  ],
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

async function run(session: Session, input: Input, what: "usage" | "billing"): Promise<void> {
  assertWritable(session);
  const month = readMonth(session, input);
  const by = groupings.find((one) => one === input.text("by")) ?? "organization";
  const { client, profile, baseUrl } = await session.connect();
  const reports = await import("../../../report/index.js");
  const reading: Reading = { client, signal: session.signal };
  const names = new Map<string, string>();
  for await (const { id, name, otherName } of readAll(client, organization, session))
    names.set(id, otherName ?? name);
  const msps: string[] = [];
  const needsBilling = what === "billing" || input.on("check") === true;
  if (needsBilling) for await (const { id } of readAll(client, msp, session)) msps.push(id);
  const read = async (of: string) =>
    what === "usage"
      ? reports.readUsage(reading, of)
      : reports.billedRecords(await reports.readBilling(reading, msps, of));
  const before = reports.nextMonth(month, -1);
  const records = await read(month);
  const previous = { month: before, records: await read(before) };
  const report = reports.reportOrganizations(month, by, records, previous, names);
  const checks = [];
  if (input.on("check") === true) {
    const usage = what === "usage" ? records : await reports.readUsage(reading, month);
    const billed =
      what === "billing" ? records : reports.billedRecords(await reports.readBilling(reading, msps, month));
    checks.push(...reports.checkOrganizations(usage, billed));
  }
  const title = what === "usage" ? "Usage" : "Billing";
  const soFar = isRunning(month, session.serviceNow()) ? [runningNote] : [];
  await showReport(session, {
    title: `${title} in ${month}`,
    notes: [`${baseUrl("distributor-v2") ?? profile.name}, days of UTC`, ...soFar],
    data: { ...report, so_far: soFar.length > 0, ...(checks.length > 0 ? { checks } : {}) },
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
  });
  assertEqual(session, checks);
}
