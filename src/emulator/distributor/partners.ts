import type { Row } from "../../base/database.js";
import { Plan } from "../../contract/distributor/customers.js";
import type { Partner, partners } from "../../contract/distributor/partners.js";
import type { DistributorContext, Handlers } from "../context.js";
import { isoTime } from "../kernel/clock.js";
import { toPage } from "../kernel/paging.js";
import {
  completedCalls,
  sumTotals,
  toDayPeriod,
  toMonthPeriod,
  toTotals,
  totalsColumns,
} from "./counting.js";
import { isExternalIdTaken, provisionOrganization } from "./organizations.js";
import { parsePosition } from "./paging.js";
import { refuse } from "./policy.js";
import { readUsageRows } from "./usage.js";

interface PartnerRow extends Partner {
  /** Lists are sorted by this ID. */
  id: string;
}

function toPartnerRow(row: Row): PartnerRow {
  const status = row["status"];
  return {
    id: String(row["id"]),
    externalPartnerId: String(row["external_id"]),
    name: String(row["name"]),
    status: status === "active" || status === "blocked" ? status : "inactive",
    organizationId: row["organization_id"] === null ? null : String(row["organization_id"]),
    createdAt: isoTime(Number(row["created_at"])),
  };
}

const show = ({ id: _, ...partner }: PartnerRow): Partner => partner;

/** @throws Refusal PARTNER_NOT_FOUND (v1.partner.not-found) */
export function requirePartner(context: DistributorContext, externalId: string): PartnerRow {
  const row = context.database
    .prepare("SELECT * FROM partner_view WHERE distributor_id = ? AND external_id = ?")
    .get(context.distributorId, externalId);
  if (!row) throw partnerNotFoundError(`the partner ${externalId} does not exist`);
  return toPartnerRow(row);
}

/**
 * A partner without an organization is not active (D-v1-partner).
 * @throws Refusal PARTNER_NOT_FOUND
 */
export function requireActivePartner(
  context: DistributorContext,
  externalId: string,
): PartnerRow & { organizationId: string } {
  const partner = requirePartner(context, externalId);
  const { organizationId } = partner;
  if (organizationId === null) throw partnerNotFoundError(`the partner ${externalId} is no longer active`);
  return { ...partner, organizationId };
}

function partnerNotFoundError(message: string) {
  return refuse("PARTNER_NOT_FOUND", "v1.partner.not-found", message);
}

export const partnerHandlers: Handlers<typeof partners, DistributorContext> = {
  "partners.list": (context, { query }) => {
    const position = parsePosition(context, query.cursor, {});
    const rows = context.database
      .prepare("SELECT * FROM partner_view WHERE distributor_id = ? AND id > ? ORDER BY id LIMIT ?")
      .all(context.distributorId, String(position?.[0] ?? ""), query.limit + 1)
      .map(toPartnerRow);
    const page = toPage(rows, query.limit, {}, (row) => [row.id]);
    return { ...page, rows: rows.slice(0, query.limit).map(show) };
  },

  "partners.create": (context, { body }) => {
    const { externalPartnerId: externalId, name } = body;
    const known = context.database
      .prepare("SELECT 1 FROM partners WHERE distributor_id = ? AND external_id = ?")
      .get(context.distributorId, externalId);
    // The external ID must also differ from the external ID of each of the distributor's organizations
    // (D-v1-link).
    if (known || isExternalIdTaken(context, externalId)) {
      throw refuse(
        "DUPLICATE_EXTERNAL_PARTNER_ID",
        "v1.partner.duplicate",
        `the external id ${externalId} is already in use`,
      );
    }
    context.database
      .prepare(
        "INSERT INTO partners (id, distributor_id, external_id, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(context.newId(), context.distributorId, externalId, name, context.now, context.now);
    // The refusal also rolls back the new partner, because a request is one transaction (v1.org-creation).
    if (context.strikes("org_creation_failure")) {
      throw refuse(
        "ORG_CREATION_FAILED",
        "v1.org-creation",
        "the partner's internal organization could not be provisioned",
      );
    }
    provisionOrganization(context, { type: "msp", name, externalId }); // v1.parallel
    return show(requirePartner(context, externalId));
  },

  "partners.get": (context, { path }) => show(requirePartner(context, path.externalPartnerId)),

  "partners.update": (context, { path, body }) => {
    const partner = requirePartner(context, path.externalPartnerId);
    if (body.name !== undefined) {
      context.database
        .prepare("UPDATE partners SET name = ?, updated_at = ? WHERE distributor_id = ? AND external_id = ?")
        .run(body.name, context.now, context.distributorId, partner.externalPartnerId);
      context.database
        .prepare("UPDATE organizations SET name = ?, updated_at = ? WHERE id = ?") // D-v1-paths
        .run(body.name, context.now, partner.organizationId);
      context.state.organizations.reload();
    }
    return show(requirePartner(context, partner.externalPartnerId));
  },

  "partners.delete": (context, { path }) => {
    const partner = requirePartner(context, path.externalPartnerId);
    // Deletions don't cascade: the internal MSP organization must first be deleted through v2
    // (v1.partner.delete).
    if (partner.organizationId !== null) {
      throw refuse(
        "PARTNER_HAS_ORGANIZATIONS",
        "v1.partner.delete",
        `the partner ${partner.externalPartnerId} still has organizations; delete its customers, then its internal organization (${partner.organizationId}) through v2`,
      );
    }
    context.database
      .prepare("DELETE FROM partners WHERE distributor_id = ? AND external_id = ?")
      .run(context.distributorId, partner.externalPartnerId);
  },

  // D-v1-usage
  "partners.usage": (context, { query }) => {
    const { limit, cursor, ...filters } = query;
    const period = toDayPeriod(filters.from, filters.to, "v1.errors.range");
    // D-cursor-first
    const position = parsePosition(context, cursor, filters);
    const externalPartnerId = filters.externalPartnerId;
    const partner = externalPartnerId === undefined ? undefined : requirePartner(context, externalPartnerId);
    const ofPartner = partner?.organizationId ?? "";
    const rows = readUsageRows(context, period, {
      condition: partner ? "AND ? IN (organizations.id, organizations.parent_id)" : "",
      values: partner ? [ofPartner] : [],
      after: position,
      limit: limit + 1,
    });
    const partnerIds = new Map(
      context.database
        .prepare("SELECT id, external_id FROM organizations WHERE distributor_id = ? AND type = 'msp'")
        .all(context.distributorId)
        .map((row) => [String(row["id"]), String(row["external_id"])]),
    );
    const records = rows.map((row) => {
      const isCustomer = row["type"] === "customer";
      const externalId = String(row["external_id"]);
      return {
        externalPartnerId: isCustomer ? (partnerIds.get(String(row["parent_id"])) ?? "") : externalId,
        externalCustomerId: isCustomer ? externalId : null,
        organizationId: String(row["organization_id"]),
        date: String(row["date"]),
        ...toTotals(row),
      };
    });
    return toPage(records, limit, filters, (record) => [record.date, record.organizationId]);
  },

  "partners.billing": (context, { path, query }) => {
    const partner = requirePartner(context, path.externalPartnerId);
    const { month, period } = toMonthPeriod(query.month, context.now);
    const billed = context.database
      .prepare(
        `SELECT customer.external_id, customer.plan, ${totalsColumns.replace("count(*)", "count(calls.id)")}
         FROM customer_view customer
         LEFT JOIN calls ON calls.organization_id = customer.id AND ${completedCalls}
         WHERE customer.parent_id = ? AND customer.plan IS NOT NULL
         GROUP BY customer.id ORDER BY customer.id`,
      )
      .all(period.start, period.end, context.now, partner.organizationId)
      .map((row) => ({
        externalCustomerId: String(row["external_id"]),
        plan: Plan.parse(row["plan"]),
        ...toTotals(row),
      }));
    // Nothing to bill: no customer has a plan (v1.plan).
    if (billed.length === 0) {
      throw refuse(
        "PLAN_NOT_FOUND",
        "v1.plan",
        `no customer of the partner ${partner.externalPartnerId} has a plan`,
      );
    }
    return {
      externalPartnerId: partner.externalPartnerId,
      month,
      totals: sumTotals(billed),
      customers: billed,
    };
  },
};
