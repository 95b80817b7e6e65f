import type { Client } from "../../client/types.js";
import type { Command } from "../command.js";
import { FlaggedError } from "../exit-codes.js";
import { type Fields, isFields } from "../output/fields.js";
import type { Column } from "../output/output.js";
import { msp, organization } from "../presentation/orgs.js";
import { readAll, resolveReference } from "../references.js";
import type { Session } from "../session.js";
import { addUp, countColumns, totalsLine } from "./totals.js";

const columns: readonly Column[] = [
  { header: "MONTH", value: "month", keep: true },
  { header: "BILLED TO", value: "billedTo" },
  { header: "ORGANIZATION", value: "externalOrganizationId" },
  ...countColumns,
];
const fields = [
  "month",
  "billedTo",
  "organizationId",
  "externalOrganizationId",
  "calls",
  "durationSeconds",
  "billableSeconds",
];

export const billing: Command = {
  name: "billing",
  summary: "Show what organizations are billed for a month",
  description:
    "Without an organization, every MSP with its customers. -o csv has a line per organization, for an invoice.",
  arguments: [{ name: "organization", description: "its external id, name or id", optional: true }],
  flags: [{ name: "month", value: "month", description: "like 2026-02; the current one without it" }],
  examples: [
    { command: "voxctl billing havel-it", note: "the current month so far" },
    { command: "voxctl billing --month 2026-02 -o csv", note: "all MSPs" },
  ],
  async run(session, input) {
    const value = input.arguments[0];
    const month = input.text("month");
    const { client } = await session.connect();
    const { format } = session.output;
    const read = (id: string) => readBilling(client, id, month, session);
    if (value !== undefined) {
      const id = await resolveReference(client, organization, value, "<organization>", session);
      const summary = await read(id);
      if (format !== "table" && format !== "csv") {
        await session.output.item(summary);
        return;
      }
      await session.output.list(format === "table" ? withTotals(linesOf(summary)) : linesOf(summary), {
        columns,
        fields,
      });
      if (format === "table") session.notes.note(licensesText(summary));
      return;
    }
    async function* summaries(): AsyncGenerator<Fields, void> {
      for await (const { id } of readAll(client, msp, session)) yield read(id);
    }
    if (format !== "table" && format !== "csv") {
      await session.output.list(summaries(), { columns: [], fields });
      return;
    }
    const lines = (async function* () {
      for await (const summary of summaries()) yield* linesOf(summary);
    })();
    await session.output.list(format === "table" ? withTotals(lines) : lines, {
      columns,
      fields,
      empty: "no organizations",
    });
  },
};

async function readBilling(
  client: Client,
  organizationId: string,
  month: string | undefined,
  session: Session,
): Promise<Fields> {
  try {
    const { data } = await client.call(
      "billing.get",
      { path: { organizationId }, query: { month } },
      { signal: session.signal },
    );
    return isFields(data) ? data : {};
  } catch (error) {
    throw new FlaggedError(error, (path) => (path[0] === "month" ? "--month" : undefined));
  }
}

/** A line per organization of a summary. */
function* linesOf(summary: Fields): Generator<Fields> {
  const organizations = summary["organizations"];
  const rows = Array.isArray(organizations) ? organizations.filter(isFields) : [];
  const own = rows.find((row) => row["organizationId"] === summary["organizationId"]);
  const billedTo = own?.["externalOrganizationId"] ?? summary["organizationId"];
  for (const row of rows) yield { month: summary["month"], billedTo, ...row };
}

async function* withTotals(lines: AsyncIterable<Fields> | Iterable<Fields>): AsyncGenerator<Fields, void> {
  const total = totalsLine("month");
  let any = false;
  for await (const line of lines) {
    any = true;
    addUp(total, line);
    yield line;
  }
  if (any) yield total;
}

/** `3 licenses: 1 available, 2 assigned` */
function licensesText(summary: Fields): string {
  const licenses = Array.isArray(summary["licenses"]) ? summary["licenses"].filter(isFields) : [];
  const states = new Map<string, number>();
  for (const license of licenses) {
    const status = String(license["status"] ?? "unknown");
    states.set(status, (states.get(status) ?? 0) + 1);
  }
  const parts = [...states].map(([status, count]) => `${count} ${status}`);
  return `licenses: ${parts.length === 0 ? "none" : parts.join(", ")}`;
}
