import * as z from "zod";
import { assumed, requiredBy } from "../assumed.js";
import { Cursor, Limit, Name } from "../primitives.js";

/** The distributor's own identifier for an organization or license (D-v2-org). */
export const ExternalId = assumed(
  "D-v2-org",
  z
    .string("must be an identifier")
    .regex(/^[A-Za-z0-9._:-]{1,128}$/, "must be 1 to 128 characters: letters, digits and . _ : -"), // D-v1-id
  z.string("must be an identifier").min(1, "must not be empty"),
);

/** The documents set no limits for names, so those of the Public API are assumed (D-v2-create). */
export const OrganizationName = Name;

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
  );
}

/** A day in UTC (D-v2-usage). */
const Day = assumed(
  "D-v2-usage",
  z.string("must be a date like 2026-01-31").refine(isDate, "must be a date like 2026-01-31"),
  z.string("must be a date like 2026-01-31"),
);

export const period = { from: requiredBy("D-v2-usage", Day), to: requiredBy("D-v2-usage", Day) };

/** A month in UTC (D-v2-billing). */
export const Month = assumed(
  "D-v2-billing",
  z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month like 2026-01"),
  z.string(),
);

/** Query fields of a list (D-v2-list). */
export function distributorPage<T extends Record<string, z.ZodType>>(filters: T) {
  return z.object({ ...filters, limit: Limit, cursor: Cursor.optional() });
}

/** Sums over the calls of a period (D-v2-usage, D-v2-billing). */
export const totals = {
  calls: z.int(),
  durationSeconds: z.int(),
  billableSeconds: z.int(),
};
