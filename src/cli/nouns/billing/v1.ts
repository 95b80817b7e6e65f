import { type Fields, getText, isFields } from "../../../base/fields.js";
import { formatCount } from "../../../base/text.js";
import type { Client } from "../../../client/types.js";
import { isNotFound } from "../../derive/ignore-not-found.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Column } from "../../output/output.js";
import type { Session } from "../../session/session.js";
import { addCustomerNames } from "../distributor/customer-names.js";
import { addTotals, countColumns } from "../usage/totals.js";

const columns: readonly Column[] = [
  { header: "MONTH", value: "month", keep: true },
  { header: "PARTNER", value: "externalPartnerId" },
  { header: "CUSTOMER", value: "externalCustomerId" },
  { header: "PLAN", value: "plan" },
  ...countColumns,
];

/** A partner without a subscription plan has no summary (D-v1-customer). */
export async function showBillingV1(
  session: Session,
  externalPartnerId: string | undefined,
  month: string | undefined,
): Promise<void> {
  const { client } = await session.connect();
  const { format } = session.output;
  if (externalPartnerId !== undefined && format !== "table" && format !== "csv") {
    await session.output.item(await readBilling(client, externalPartnerId, month, session));
    return;
  }
  const without: string[] = [];
  const summaries =
    externalPartnerId === undefined
      ? readAllBillings(client, month, session, without)
      : [{ id: externalPartnerId, summary: await readBilling(client, externalPartnerId, month, session) }];
  const lines = addCustomerNames(session, client, toBillingLines(summaries));
  const isTable = format === "table";
  await session.output.list(isTable ? addTotals(lines, ["month", "externalPartnerId"]) : lines, {
    columns,
    empty: "no customers with a subscription plan",
  });
  if (without.length > 0)
    session.notes.note(
      `omitted ${formatCount(without.length, "partner")} without a subscription plan: ${without.join(", ")}`,
    );
}

interface PartnerSummary {
  id: string;
  summary: unknown;
}

/** @param without receives the IDs of partners that have no billing summary */
async function* readAllBillings(
  client: Client,
  month: string | undefined,
  session: Session,
  without: string[],
): AsyncGenerator<PartnerSummary, void> {
  for await (const id of listPartnerIds(client, session)) {
    try {
      yield { id, summary: await readBilling(client, id, month, session) };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      without.push(id);
    }
  }
}

/** A summary in an unknown format is yielded unchanged. */
async function* toBillingLines(
  summaries: AsyncIterable<PartnerSummary> | Iterable<PartnerSummary>,
): AsyncGenerator<unknown, void> {
  for await (const { id, summary } of summaries) {
    const customers = isFields(summary) ? summary["customers"] : undefined;
    if (!isFields(summary) || !Array.isArray(customers) || !customers.every(isFields)) {
      yield summary;
      continue;
    }
    const rows: Fields[] = customers.map((row) => ({
      externalPartnerId: id,
      month: summary["month"],
      ...row,
    }));
    yield* rows;
  }
}

async function* listPartnerIds(client: Client, { signal }: Session): AsyncGenerator<string, void> {
  for await (const row of client.items("partners.list", {}, { signal, pageSize: 200 })) {
    const id = isFields(row) ? getText(row, "externalPartnerId") : "";
    if (id !== "") yield id;
  }
}

async function readBilling(
  client: Client,
  externalPartnerId: string,
  month: string | undefined,
  { signal }: Session,
): Promise<unknown> {
  try {
    const request = { path: { externalPartnerId }, query: { month } };
    return (await client.call("partners.billing", request, { signal })).data;
  } catch (error) {
    throw new FlaggedError(error, ([field]) => (field === "month" ? "--month" : undefined));
  }
}
