import { toNumber } from "../../base/exact-json.js";
import { isFields } from "../../base/fields.js";
import { addTo } from "../../base/lists.js";
import { organizationId } from "../../client/ids.js";
import type { CheckedSum } from "./check-calls.js";
import type { Reading } from "./read-calls.js";
import { formatMinutes, type ReportTable } from "./table.js";

type Fields = Readonly<Record<string, unknown>>;

/** A total is null if no record contains the field, or if a value is not a number. */
interface Sums {
  calls: number | null;
  duration_seconds: number | null;
  billable_seconds: number | null;
}

interface OrganizationLine extends Sums {
  key: string;
  name: string;
}

interface OrganizationReport {
  month: string;
  by: "organization" | "day";
  total: Sums;
  previous: Sums & { month: string };
  lines: OrganizationLine[];
}

/** An organization without usage records had no calls. */
const none: Sums = { calls: 0, duration_seconds: 0, billable_seconds: 0 };

/** Reads the usage records of a month, one per organization and UTC day (dist.usage). */
export async function readUsage({ client, signal }: Reading, month: string): Promise<Fields[]> {
  const to = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
    .toISOString()
    .slice(0, 10);
  const records: Fields[] = [];
  const rows = client.items("usage.list", { query: { from: `${month}-01`, to } }, { signal, pageSize: 200 });
  for await (const row of rows) if (isFields(row)) records.push(row);
  return records;
}

/** @throws ClientError */
export async function readBilling(
  { client, signal }: Reading,
  msps: readonly string[],
  month: string,
): Promise<Fields[]> {
  const summaries: Fields[] = [];
  for (const id of msps) {
    const input = { path: { organizationId: id }, query: { month } };
    const { data } = await client.call("billing.get", input, { signal });
    if (isFields(data)) summaries.push(data);
  }
  return summaries;
}

export function listBilledRecords(summaries: readonly Fields[]): Fields[] {
  return summaries.flatMap(({ organizations }) =>
    Array.isArray(organizations) ? organizations.filter(isFields) : [],
  );
}

export function buildOrganizationReport(
  month: string,
  by: OrganizationReport["by"],
  records: readonly Fields[],
  previous: { month: string; records: readonly Fields[] },
  names: ReadonlyMap<string, string>,
): OrganizationReport {
  const groups = new Map<string, Fields[]>();
  for (const record of records) {
    const key = by === "day" ? String(record["date"]) : toGroupKey(record);
    addTo(groups, key, record);
  }
  const lines = [...groups].map(([key, grouped]) => ({
    key,
    name: by === "day" ? key : (names.get(key) ?? getExternalId(grouped[0] ?? {}) ?? key),
    ...computeSums(grouped),
  }));
  return {
    month,
    by,
    total: computeSums(records),
    previous: { month: previous.month, ...computeSums(previous.records) },
    lines:
      by === "day"
        ? lines.sort((left, right) => (left.key < right.key ? -1 : 1))
        : lines.sort((left, right) => (right.billable_seconds ?? 0) - (left.billable_seconds ?? 0)),
  };
}

export function checkOrganizations(usage: readonly Fields[], billed: readonly Fields[]): CheckedSum[] {
  const [ours, theirs] = [groupByOrganization(usage), groupByOrganization(billed)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((key) => {
    const [used = [], billing = []] = [ours.get(key), theirs.get(key)];
    const usedSeconds = computeSums(used).billable_seconds;
    const billedSeconds = computeSums(billing).billable_seconds;
    const label = getExternalId(used[0] ?? billing[0] ?? {}) ?? key;
    const isUnknown = usedSeconds === null || billedSeconds === null;
    return {
      what: `billable seconds of ${label} in usage and in billing`,
      ours: usedSeconds,
      theirs: billedSeconds,
      equal: isUnknown || usedSeconds === billedSeconds,
      reason: isUnknown
        ? `the ${usedSeconds === null ? "usage" : "billing"} has no billable seconds`
        : usedSeconds === billedSeconds
          ? null
          : findReason(used, billing),
    };
  });
}

function groupByOrganization(records: readonly Fields[]): Map<string, Fields[]> {
  const groups = new Map<string, Fields[]>();
  for (const record of records) addTo(groups, toGroupKey(record), record);
  return groups;
}

function findReason(used: readonly Fields[], billing: readonly Fields[]): string {
  if (billing.length === 0)
    return "the organization is in no billing summary: it might no longer belong to an MSP";
  if (used.length === 0) return "no usage record exists: the usage might not be available yet";
  return "calls were made between the two requests, or usage and billing use different time zones";
}

export function buildOrganizationTables(report: OrganizationReport, title: string): ReportTable[] {
  const header = ["Calls", "Duration min", "Billable min"];
  const { month, total, previous, by, lines } = report;
  return [
    {
      title: `${title} in ${month}`,
      header: ["Month", ...header],
      rows: [
        [month, ...formatCells(total)],
        [previous.month, ...formatCells(previous)],
      ],
    },
    {
      title: `By ${by}`,
      header: [by === "day" ? "Day" : "Organization", ...header],
      rows: lines.map((line) => [line.name, ...formatCells(line)]),
    },
  ];
}

function formatCells({ calls, duration_seconds, billable_seconds }: Sums): string[] {
  return [
    calls === null ? "–" : String(calls),
    formatMinutes(duration_seconds),
    formatMinutes(billable_seconds),
  ];
}

function toGroupKey(record: Fields): string {
  const { organizationId: camel, organization_id: snake } = record;
  return organizationId({ organizationId: camel, organization_id: snake }) ?? getExternalId(record) ?? "–";
}

function getExternalId(record: Fields): string | undefined {
  const value = record["externalOrganizationId"];
  return typeof value === "string" ? value : undefined;
}

function computeSums(records: readonly Fields[]): Sums {
  if (records.length === 0) return none;
  return {
    calls: sumField(records, "calls"),
    duration_seconds: sumField(records, "durationSeconds"),
    billable_seconds: sumField(records, "billableSeconds"),
  };
}

function sumField(records: readonly Fields[], name: string): number | null {
  const values = records.flatMap((record) => record[name] ?? []);
  const sum = values.reduce<number>((total, value) => total + toNumber(value), 0);
  return values.length === 0 || Number.isNaN(sum) ? null : sum;
}
