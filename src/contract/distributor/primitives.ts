import * as z from "zod";
import { assumed, requiredBy } from "../assumed.js";
import { Cursor, Limit, Name } from "../primitives.js";

/** D-v2-org: the distributor's own identifiers, of organizations and of licenses. */
export const ExternalId = assumed(
  "D-v2-org",
  z
    .string("must be an identifier")
    .regex(/^[A-Za-z0-9._:-]{1,128}$/, "must be 1 to 128 letters, digits or any of . _ : -"), // D-v1-id
  z.string("must be an identifier").min(1, "must not be empty"),
);

/** D-v2-create: the same limits as elsewhere, although not documented. */
export const OrganizationName = Name;

/** Returns whether a date exists, unlike 2026-02-30. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
  );
}

/** D-v2-usage: a day, in UTC. */
const Day = assumed(
  "D-v2-usage",
  z.string("must be a date like 2026-01-31").refine(isDate, "must be a date like 2026-01-31"),
  z.string("must be a date like 2026-01-31"),
);

/** The time range of usage; both days are included. */
export const period = { from: requiredBy("D-v2-usage", Day), to: requiredBy("D-v2-usage", Day) };

/** D-v2-billing: a month, in UTC. */
export const Month = assumed(
  "D-v2-billing",
  z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month like 2026-01"),
  z.string(),
);

/** D-v2-list: the query of a list of the distributor APIs. */
export function distributorPage<T extends Record<string, z.ZodType>>(filters: T) {
  return z.object({ ...filters, limit: Limit, cursor: Cursor.optional() });
}

/** D-v2-usage, D-v2-billing: the totals of calls. */
export const totals = {
  calls: z.int(),
  durationSeconds: z.int(),
  billableSeconds: z.int(),
};
