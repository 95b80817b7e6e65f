import { toNumber } from "../../../base/exact-json.js";
import { isFields } from "../../../base/fields.js";
import type { Column } from "../../output/output.js";

export const countColumns: readonly Column[] = [
  { header: "CALLS", value: "calls", keep: true, align: "right", figure: true },
  { header: "SECONDS", value: "durationSeconds", keep: true, align: "right", figure: true },
  { header: "BILLABLE SECONDS", value: "billableSeconds", keep: true, align: "right", figure: true },
];

const counts = ["calls", "durationSeconds", "billableSeconds"] as const;

/** Omits the total of a column if no row has a value, or if a value is not a number. */
export async function* addTotals(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  [label, ...otherLabels]: readonly [string, ...string[]],
): AsyncGenerator<unknown, void> {
  const sums: Partial<Record<(typeof counts)[number], number>> = {};
  for await (const row of rows) {
    for (const name of counts) {
      const value = isFields(row) ? row[name] : undefined;
      if (value !== undefined && value !== null) sums[name] = (sums[name] ?? 0) + toNumber(value);
    }
    yield row;
  }
  const totals = Object.entries(sums).filter(([, sum]) => Number.isFinite(sum));
  if (totals.length === 0) return;
  yield {
    [label]: "TOTAL",
    ...Object.fromEntries(otherLabels.map((name) => [name, ""])),
    ...Object.fromEntries(totals),
  };
}
