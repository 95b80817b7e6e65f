import { isFields } from "../output/fields.js";
import type { Column } from "../output/output.js";

/** What calls add up to, in tables of usage and billing. */
export const countColumns: readonly Column[] = [
  { header: "CALLS", value: "calls", keep: true, align: "right" },
  { header: "SECONDS", value: "durationSeconds", keep: true, align: "right" },
  { header: "BILLABLE SECONDS", value: "billableSeconds", keep: true, align: "right" },
];

const counts = ["calls", "durationSeconds", "billableSeconds"] as const;

/** A line of zeros that says "TOTAL" in this field. */
export function totalsLine(label: string): Record<string, unknown> & Record<(typeof counts)[number], number> {
  return { [label]: "TOTAL", calls: 0, durationSeconds: 0, billableSeconds: 0 };
}

export function addUp(total: Record<(typeof counts)[number], number>, row: unknown): void {
  for (const name of counts) {
    const value = isFields(row) ? row[name] : undefined;
    if (typeof value === "number") total[name] += value;
  }
}
