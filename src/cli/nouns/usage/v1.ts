import { isNoList } from "../../../client/paging.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Column } from "../../output/output.js";
import type { Session } from "../../session/session.js";
import { addCustomerNames } from "../distributor/customer-names.js";
import { listAtServiceTime, type UsageDays } from "./days.js";
import { addTotals, countColumns } from "./totals.js";

const columns: readonly Column[] = [
  { header: "DATE", value: "date", keep: true },
  { header: "PARTNER", value: "externalPartnerId" },
  { header: "CUSTOMER", value: "externalCustomerId" },
  ...countColumns,
];
const fields = [
  "date",
  "externalPartnerId",
  "externalCustomerId",
  "organizationId",
  "calls",
  "durationSeconds",
  "billableSeconds",
  "customerName",
];

const flagByField: Readonly<Record<string, string>> = {
  from: "--from",
  to: "--to",
  externalPartnerId: "--organization",
};

export async function showUsageV1(
  session: Session,
  readDays: () => Promise<UsageDays>,
  externalPartnerId: string | undefined,
): Promise<void> {
  const { client } = await session.connect();
  const list = (days: UsageDays) =>
    client.items(
      "partners.usage",
      { query: { ...days, externalPartnerId } },
      { signal: session.signal, pageSize: 200 },
    );
  const named = addCustomerNames(session, client, listAtServiceTime(readDays, list));
  const isTable = session.output.format === "table";
  try {
    await session.output.list(isTable ? addTotals(named, ["date", "externalPartnerId"]) : named, {
      columns,
      fields,
      empty: "no calls",
    });
  } catch (error) {
    if (!isNoList(error)) throw new FlaggedError(error, ([field]) => flagByField[String(field)]);
    // Usage in an unknown format is shown unchanged.
    const query = { ...(await readDays()), externalPartnerId };
    const { data } = await client.call("partners.usage", { query }, { signal: session.signal });
    await session.output.item(data);
  }
}
