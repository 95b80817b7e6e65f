import type { Row } from "../../base/database.js";
import type { usage } from "../../contract/distributor/usage.js";
import type { DistributorContext, Handlers } from "../context.js";
import { toPage } from "../kernel/paging.js";
import {
  completedCalls,
  type Period,
  sumTotals,
  toDayPeriod,
  toMonthPeriod,
  toTotals,
  totalsColumns,
} from "./counting.js";
import { findLicenses } from "./lifecycle.js";
import { requireOrganization } from "./organizations.js";
import { parsePosition } from "./paging.js";

function sumUsage(context: DistributorContext, organizationId: string, period: Period) {
  const row = context.database
    .prepare(`SELECT ${totalsColumns} FROM calls WHERE calls.organization_id = ? AND ${completedCalls}`)
    .get(organizationId, period.start, period.end, context.now);
  return toTotals(row ?? {});
}

export const usageHandlers: Handlers<typeof usage, DistributorContext> = {
  "usage.list": (context, { query }) => {
    const { limit, cursor, ...filters } = query;
    const period = toDayPeriod(filters.from, filters.to, "D-v2-usage");
    // D-cursor-first
    const position = parsePosition(context, cursor, filters);
    if (filters.organizationId !== undefined) requireOrganization(context, filters.organizationId);
    const rows = readUsageRows(context, period, {
      condition: filters.organizationId === undefined ? "" : "AND organizations.id = ?",
      values: filters.organizationId === undefined ? [] : [filters.organizationId],
      after: position,
      limit: limit + 1,
    }).map((row) => ({
      organizationId: String(row["organization_id"]),
      externalOrganizationId: String(row["external_id"]),
      date: String(row["date"]),
      ...toTotals(row),
    }));
    return toPage(rows, limit, filters, (row) => [row.date, row.organizationId]);
  },

  // An MSP's totals include the calls of its customers (D-v2-billing).
  "billing.get": (context, { path, query }) => {
    const organization = requireOrganization(context, path.organizationId);
    const { month, period } = toMonthPeriod(query.month, context.now);
    const billed = context.database
      .prepare(
        // D-billing-self
        "SELECT id, external_id FROM organizations WHERE id = ? OR parent_id = ? ORDER BY parent_id = ?, id",
      )
      .all(organization.id, organization.id, organization.id)
      .map((row) => ({
        organizationId: String(row["id"]),
        externalOrganizationId: String(row["external_id"]),
        ...sumUsage(context, String(row["id"]), period),
      }));
    return {
      organizationId: organization.id,
      month,
      licenses: findLicenses(context, organization.id).map(({ externalLicenseId, product, status }) => ({
        externalLicenseId,
        product,
        status,
      })),
      totals: sumTotals(billed), // v2.billing
      organizations: billed,
    };
  },
};

/**
 * Returns a row for each organization and day with completed calls, sorted by day and organization
 * (D-v2-usage).
 * @param part.condition additional SQL condition on `organizations`, with the parameters `part.values`
 */
export function readUsageRows(
  context: DistributorContext,
  period: Period,
  part: {
    condition: string;
    values: readonly string[];
    after: readonly (string | number)[] | undefined;
    limit: number;
  },
): Row[] {
  const [afterDate = "", afterId = ""] = part.after ?? [];
  return context.database
    .prepare(
      `SELECT date(calls.created_at / 1000, 'unixepoch') AS date, organizations.id AS organization_id,
         organizations.external_id, organizations.type, organizations.parent_id, ${totalsColumns}
       FROM organizations JOIN calls ON calls.organization_id = organizations.id
       WHERE organizations.distributor_id = ? ${part.condition} AND ${completedCalls}
       GROUP BY date, organizations.id
       HAVING (date, organizations.id) > (?, ?)
       ORDER BY date, organizations.id LIMIT ?`, // D-usage-order
    )
    .all(
      context.distributorId,
      ...part.values,
      period.start,
      period.end,
      context.now,
      String(afterDate),
      String(afterId),
      part.limit,
    );
}
