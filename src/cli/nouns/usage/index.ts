import { isNoList } from "../../../client/paging.js";
import type { Client } from "../../../client/types.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Column } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import { readKnown } from "../../session/references/known-names.js";
import { organization } from "../../session/references/organization.js";
import { resolveReference } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { readDay } from "../../session/times.js";
import { addOrganizationNames } from "../distributor/organization-names.js";
import { noteRunningDay } from "../distributor/running-month.js";
import { listAtServiceTime, type UsageDays } from "./days.js";
import { addTotals, countColumns } from "./totals.js";
import { showUsageV1 } from "./v1.js";

const columns: readonly Column[] = [
  { header: "DATE", value: "date", keep: true },
  { header: "ORGANIZATION", value: "externalOrganizationId" },
  ...countColumns,
];
const fields = [
  "organizationId",
  "externalOrganizationId",
  "date",
  "calls",
  "durationSeconds",
  "billableSeconds",
  "organizationName",
];

const flagByField: Readonly<Record<string, string>> = {
  from: "--from",
  to: "--to",
  organizationId: "--organization",
};

export const usage: Command = {
  name: "usage",
  summary: "Show call usage by day",
  description:
    "Counts only completed calls. Each call is billed as at least 60 seconds. For an invoice, use -o csv.",
  flags: [
    {
      name: "from",
      value: "date",
      description: "First day, such as 2026-02-01, or 30d for 30 days ago",
      default: "the first day of the month that includes --to",
    },
    { name: "to", value: "date", description: "Last day (included)", default: "today" },
    {
      name: "organization",
      value: "external-id|name|id",
      description: "Show only this organization's calls; an MSP's customers are not included",
    },
    { name: "v1", description: "Use distributor API v1; --organization is the partner's external ID" },
  ],
  examples: [
    { command: "voxctl usage --from 30d" },
    { command: "voxctl usage --to 2026-02-28 -o csv", note: "One month, for an invoice" },
    { command: "voxctl usage --from 7d --organization praxis-sommer" },
    { command: "voxctl usage --v1 --from 30d --organization altstadt-edv" },
  ],
  async run(session, input) {
    const isV1 = input.on("v1") === true;
    const requestedOrganization = input.text("organization");
    const { client } = await session.connect();
    const readDays = async (): Promise<UsageDays> => {
      const to = await readDay(input.text("to") ?? "today", "--to", session.serviceNow);
      const from = input.text("from") ?? `${to.slice(0, 7)}-01`;
      return { from: await readDay(from, "--from", session.serviceNow), to };
    };
    if (isV1) {
      await showUsageV1(session, readDays, requestedOrganization);
      noteRunningDay(session, await readDays());
      return;
    }
    await readDays();
    const organizationId =
      requestedOrganization === undefined
        ? undefined
        : await resolveReference(client, organization, requestedOrganization, "--organization", session);
    const list = (days: UsageDays) =>
      client.items(
        "usage.list",
        { query: { ...days, organizationId } },
        { signal: session.signal, pageSize: 200 },
      );
    const table = session.output.format === "table";
    try {
      const named = addOrganizationNames(session, client, listAtServiceTime(readDays, list));
      const shown = await session.output.list(
        table ? addTotals(named, ["date", "externalOrganizationId"]) : named,
        {
          columns,
          fields,
          empty: "no calls",
        },
      );
      const days = await readDays();
      if (shown === 0 && organizationId !== undefined)
        await noteCustomers(session, client, organizationId, days.to);
      noteRunningDay(session, days);
    } catch (error) {
      if (isNoList(error)) {
        // The response has no documented format, so print unknown fields unchanged.
        const days = await readDays();
        const query = { ...days, organizationId };
        const { data } = await client.call("usage.list", { query }, { signal: session.signal });
        await session.output.item(data);
        noteRunningDay(session, days);
        return;
      }
      throw new FlaggedError(error, ([field]) => flagByField[String(field)]);
    }
  },
};

/** For an MSP, suggests the command for its customers, because an MSP rarely makes calls. */
async function noteCustomers(session: Session, client: Client, id: string, to: string): Promise<void> {
  const known = (await readKnown(session, client, organization))?.get(id);
  if (known?.row["type"] !== "msp") return;
  const month = to.slice(0, 7);
  const today = await readDay("today", "--to", session.serviceNow);
  const monthFlag = today.startsWith(month) ? "" : ` --month ${month}`;
  session.notes.note(
    `${known.name} is an MSP without calls in this period; for its customers, run \`voxctl billing ${known.name}${monthFlag}\``,
  );
}
