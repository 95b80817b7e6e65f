import { isFields } from "../../../base/fields.js";
import type { Column } from "../../output/output.js";

export const countColumns: readonly Column[] = [
  { header: "CALLS", value: "calls", keep: true, align: "right", figure: true },
  { header: "SECONDS", value: "durationSeconds", keep: true, align: "right", figure: true },
  { header: "BILLABLE SECONDS", value: "billableSeconds", keep: true, align: "right", figure: true },
];

const counts = ["calls", "durationSeconds", "billableSeconds"] as const;

/** Yields the rows, followed by a row with their totals. Omits the totals if no row contains a number. */
export async function* addTotals(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  [label, ...otherLabels]: readonly [string, ...string[]],
): AsyncGenerator<unknown, void> {
  const sums: Partial<Record<(typeof counts)[number], number>> = {};
  for await (const row of rows) {
    for (const name of counts) {
      const value = isFields(row) ? row[name] : undefined;
      if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
    }
    yield row;
  }
  if (Object.keys(sums).length === 0) return;
  yield { [label]: "TOTAL", ...Object.fromEntries(otherLabels.map((name) => [name, ""])), ...sums };
}
