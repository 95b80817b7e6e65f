import { type Fields, isFields } from "../../../base/fields.js";
import { idText, organizationId } from "../../../client/ids.js";
import type { Client } from "../../../client/types.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Column } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { msp, organization } from "../../session/references/organization.js";
import { readAll, resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { assertMonth } from "../distributor/months.js";
import { addOrganizationNames } from "../distributor/organization-names.js";
import { noteRunningMonth } from "../distributor/running-month.js";
import { findLicenses } from "../licenses/read.js";
import { addTotals, countColumns } from "../usage/totals.js";
import { showBillingV1 } from "./v1.js";

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
  "organizationName",
];

export const billing: Command = {
  name: "billing",
  summary: "Show the billing summary for a month",
  description:
    "Without an organization, shows every MSP with its customers. The BILLED TO column shows the MSP that pays. With -o csv, prints one row per organization, for invoices. If the month has not ended, a note is printed.",
  arguments: [{ name: "organization", description: "External ID, name or ID", optional: true }],
  flags: [
    { name: "month", value: "month", description: "Month such as 2026-02 (default: the current one)" },
    { name: "v1", description: "Use distributor API v1; the organization is the partner's external ID" },
  ],
  examples: [
    { command: "voxctl billing havel-it", note: "Show the current month so far" },
    { command: "voxctl billing --month 2026-02 -o csv", note: "Show all MSPs" },
    { command: "voxctl billing --v1 altstadt-edv" },
  ],
  async run(session, input) {
    const value = input.arguments[0];
    const month = input.text("month");
    assertMonth(month);
    if (input.on("v1") === true) {
      await showBillingV1(session, value, month);
      noteRunningMonth(session, month);
      return;
    }
    const { client } = await session.connect();
    const { format } = session.output;
    const read = (id: string) => readBilling(client, id, month, session);
    if (value !== undefined) {
      const id = await resolveReference(client, organization, value, "<organization>", session);
      await showBilling(await read(id), id, session, client);
      noteRunningMonth(session, month);
      return;
    }
    async function* summaries(): AsyncGenerator<unknown, void> {
      for await (const { id } of readAll(client, msp, session)) yield read(id);
    }
    if (format !== "table" && format !== "csv") {
      await session.output.list(summaries(), { columns: [], fields });
      noteRunningMonth(session, month);
      return;
    }
    const all = summaries();
    const first = await all.next();
    // If the first summary lists no organizations, print the summaries as received.
    if (first.done !== true && toBillingLines(first.value) === undefined)
      await session.output.list(prependFirst(first, all), { columns: [] });
    else
      await showLines(toAllBillingLines(prependFirst(first, all)), session, client, {
        empty: "no organizations",
      });
    noteRunningMonth(session, month);
  },
};

async function* prependFirst(
  first: IteratorResult<unknown, void>,
  remaining: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void> {
  if (first.done === true) return;
  yield first.value;
  yield* remaining;
}

async function showBilling(summary: unknown, id: string, session: Session, client: Client): Promise<void> {
  const { format } = session.output;
  const lines = toBillingLines(summary);
  // The service doesn't document a summary's fields, so print a summary with unknown fields as received.
  if ((format !== "table" && format !== "csv") || lines === undefined) {
    await session.output.item(summary);
    return;
  }
  const payer = await findPayer(id, session, client);
  const billedTo = payer?.name;
  await showLines(
    lines.map((line) => ({ ...line, billedTo })),
    session,
    client,
  );
  // Omit the note for a customer, which owns no licenses (D-billing-self).
  if (format === "table" && (payer === undefined || payer.id === id))
    session.notes.note(formatLicenses(summary));
}

/**
 * Reads the list of organizations, because a customer's summary doesn't name the payer.
 * @returns undefined if the list doesn't contain the payer
 */
async function findPayer(
  id: string,
  { signal, names }: Session,
  client: Client,
): Promise<{ id: string; name: string } | undefined> {
  const known = new Map<string, { id: string; name: string; parent: string | undefined }>();
  for await (const { id: rowId, name, row } of readAll(client, organization, { signal, names }))
    known.set(rowId, { id: rowId, name, parent: idText(row["parentOrganizationId"]) });
  return known.get(known.get(id)?.parent ?? id);
}

async function showLines(
  summaryLines: AsyncIterable<unknown> | Iterable<unknown>,
  session: Session,
  client: Client,
  more: { empty?: string } = {},
): Promise<void> {
  const { output } = session;
  const lines = addOrganizationNames(session, client, summaryLines);
  const view = { columns, fields, ...more };
  const isTable = output.format === "table";
  await output.list(
    isTable ? addTotals(lines, ["month", "billedTo", "externalOrganizationId"]) : lines,
    view,
  );
}

async function readBilling(
  client: Client,
  organizationId: string,
  month: string | undefined,
  session: Session,
): Promise<unknown> {
  try {
    const { data } = await client.call(
      "billing.get",
      { path: { organizationId }, query: { month } },
      { signal: session.signal },
    );
    return data;
  } catch (error) {
    throw new FlaggedError(error, (path) => (path[0] === "month" ? "--month" : undefined));
  }
}

function toBillingLines(summary: unknown): Fields[] | undefined {
  if (!isFields(summary)) return undefined;
  const { organizations, month } = summary;
  if (!Array.isArray(organizations) || !organizations.every(isFields)) return undefined;
  const id = organizationId(summary);
  const own = organizations.find((row) => id !== undefined && organizationId(row) === id);
  const billedTo = own?.["externalOrganizationId"] ?? id;
  return organizations.map((row) => ({ month, billedTo, ...row }));
}

async function* toAllBillingLines(summaries: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  for await (const summary of summaries) {
    const lines = toBillingLines(summary);
    if (lines) yield* lines;
    else yield summary;
  }
}

/** The text says "now", because even the summary of an earlier month lists the current licenses. */
function formatLicenses(summary: unknown): string {
  const licenses = findLicenses(summary);
  if (licenses === undefined) return "licenses: not listed in the summary";
  const states = new Map<string, number>();
  for (const { status } of licenses) {
    const name = typeof status === "string" ? status : "with unknown status";
    states.set(name, (states.get(name) ?? 0) + 1);
  }
  const parts = [...states].map(([status, count]) => `${count} ${status}`);
  return `licenses now, including the MSP's own: ${parts.length === 0 ? "none" : parts.join(", ")}`;
}
