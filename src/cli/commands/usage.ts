import type { Command } from "../command.js";
import { usageError } from "../errors.js";
import { FlaggedError } from "../exit-codes.js";
import type { Column } from "../output/output.js";
import { organization } from "../presentation/orgs.js";
import { resolveReference } from "../references.js";
import { addUp, countColumns, totalsLine } from "./totals.js";

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
];

const flagByField: Readonly<Record<string, string>> = {
  from: "--from",
  to: "--to",
  organizationId: "--organization",
};

export const usage: Command = {
  name: "usage",
  summary: "Show what organizations called, by day",
  description:
    "Completed calls only; billable are at least 60 seconds each. All days are read, -o csv for an invoice.",
  flags: [
    { name: "from", value: "date", description: "first day, like 2026-02-01" },
    { name: "to", value: "date", description: "last day, included" },
    {
      name: "organization",
      value: "external-id|name|id",
      description: "only this one",
      aliases: ["organization-id"],
    },
  ],
  examples: [
    { command: "voxctl usage --from 2026-02-01 --to 2026-02-28" },
    { command: "voxctl usage --from 2026-02-01 --to 2026-02-28 --organization praxis-sommer -o csv" },
  ],
  async run(session, input) {
    const [from, to] = [input.text("from"), input.text("to")];
    if (from === undefined || to === undefined) {
      throw usageError("usage needs --from and --to, days like 2026-02-01");
    }
    const asked = input.text("organization") ?? input.text("organization-id");
    const { client } = await session.connect();
    const organizationId =
      asked === undefined
        ? undefined
        : await resolveReference(client, organization, asked, "--organization", session);
    const rows = client.items(
      "usage.list",
      { query: { from, to, organizationId } },
      { signal: session.signal, pageSize: 200 },
    );
    const table = session.output.format === "table";
    try {
      await session.output.list(table ? withTotals(rows) : rows, { columns, fields, empty: "no calls" });
    } catch (error) {
      throw new FlaggedError(error, ([field]) => flagByField[String(field)]);
    }
  },
};

/** The rows, and a last one that adds them up. */
async function* withTotals(rows: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  const total = totalsLine("date");
  let any = false;
  for await (const row of rows) {
    any = true;
    addUp(total, row);
    yield row;
  }
  if (any) yield total;
}
