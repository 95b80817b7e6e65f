import { idText, organizationId } from "../../client/ids.js";
import type { Command } from "../command.js";
import { type Fields, isFields } from "../output/fields.js";
import { statusText } from "../presentation/orgs.js";
import { textIn } from "../presentation/presentation.js";

interface Line {
  organization: Fields;
  /** What draws the tree before it. */
  prefix: string;
}

function customersOf(msp: Fields): Fields[] {
  const customers = msp["customers"];
  return Array.isArray(customers) ? customers.filter(isFields) : [];
}

function* drawn(tree: readonly Fields[]): Generator<Line> {
  for (const msp of tree) {
    yield { organization: msp, prefix: "" };
    const customers = customersOf(msp);
    for (const [index, customer] of customers.entries()) {
      yield { organization: customer, prefix: index === customers.length - 1 ? "└─ " : "├─ " };
    }
  }
}

/** One row per organization, for what can't nest. */
function* flat(tree: readonly Fields[]): Generator<Fields> {
  for (const msp of tree) {
    const { customers: _, ...own } = msp;
    yield own;
    yield* customersOf(msp);
  }
}

const fields = [
  "id",
  "type",
  "name",
  "parentOrganizationId",
  "externalOrganizationId",
  "externalLicenseId",
  "status",
  "blockedReason",
];

export const organizationTree: Command = {
  name: "tree",
  summary: "Draw MSPs with their customers, licenses and status",
  examples: [{ command: "voxctl orgs tree" }, { command: "voxctl orgs tree -o json", note: "nested" }],
  async run(session) {
    const { client } = await session.connect();
    const { data } = await client.call("orgs.tree", {}, { signal: session.signal });
    const tree = Array.isArray(data) ? data.filter(isFields) : [];
    const { format } = session.output;
    if (format === "csv") {
      await session.output.list(flat(tree), { columns: [], fields });
      return;
    }
    if (format !== "table") {
      await session.output.list(tree, { columns: [], fields });
      return;
    }
    const lines = [...drawn(tree)].map(({ organization, prefix }) => ({
      ...organization,
      // What is drawn says nothing when it is read aloud; whose a customer is, does.
      prefix: session.flags.plain ? "" : prefix,
    }));
    const parents = new Map(tree.map((one) => [organizationId(one), textIn(one, "externalOrganizationId")]));
    await session.output.list(lines, {
      columns: [
        {
          header: "ORGANIZATION",
          value: (row) => textIn(row, "prefix") + textIn(row, "externalOrganizationId"),
          keep: true,
        },
        ...(session.flags.plain
          ? [
              {
                header: "MSP",
                value: (row: Fields) => parents.get(idText(row["parentOrganizationId"])) ?? "is one",
              },
            ]
          : []),
        { header: "NAME", value: "name" },
        { header: "LICENSE", value: "externalLicenseId", keep: true },
        { header: "STATUS", value: statusText, as: "status", keep: true },
        { header: "ID", value: organizationId, keep: true, optional: true },
      ],
      empty: "no organizations",
    });
  },
};
