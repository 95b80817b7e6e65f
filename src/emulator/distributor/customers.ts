import type { Row } from "../../base/database.js";
import { type Customer, type customers, Plan } from "../../contract/distributor/customers.js";
import type { DistributorContext, Handlers } from "../context.js";
import { isoTime } from "../kernel/clock.js";
import { toPage } from "../kernel/paging.js";
import { endOrganization } from "./lifecycle.js";
import { isExternalIdTaken, provisionOrganization, requireOrganization } from "./organizations.js";
import { parsePosition } from "./paging.js";
import { requireActivePartner, requirePartner } from "./partners.js";
import { outOfScope, refuse } from "./policy.js";

function toCustomer(row: Row): Customer {
  return {
    externalCustomerId: String(row["external_id"]),
    externalPartnerId: String(row["partner_external_id"]),
    organizationId: String(row["id"]),
    name: String(row["name"]),
    plan: row["plan"] === null ? null : Plan.parse(row["plan"]),
    status: row["status"] === "blocked" ? "blocked" : "active",
    createdAt: isoTime(Number(row["created_at"])),
  };
}

/** @throws Refusal NOT_FOUND */
function requireCustomer(context: DistributorContext, externalId: string): Customer {
  const row = context.database
    // v1.errors.not-found
    .prepare("SELECT * FROM customer_view WHERE distributor_id = ? AND external_id = ?")
    .get(context.distributorId, externalId);
  if (!row) throw outOfScope(`the customer ${externalId}`);
  return toCustomer(row);
}

function setPlan(context: DistributorContext, organizationId: string, plan: string): void {
  context.database
    .prepare(
      "INSERT INTO plans (organization_id, plan) VALUES (?, ?) ON CONFLICT DO UPDATE SET plan = excluded.plan",
    )
    .run(organizationId, plan);
}

export const customerHandlers: Handlers<typeof customers, DistributorContext> = {
  "customers.list": (context, { path, query }) => {
    // D-cursor-first
    const filters = { externalPartnerId: path.externalPartnerId };
    const position = parsePosition(context, query.cursor, filters);
    const partner = requirePartner(context, path.externalPartnerId);
    const rows = context.database
      .prepare("SELECT * FROM customer_view WHERE parent_id = ? AND id > ? ORDER BY id LIMIT ?")
      .all(partner.organizationId, String(position?.[0] ?? ""), query.limit + 1)
      .map(toCustomer);
    return toPage(rows, query.limit, filters, (row) => [row.organizationId]);
  },

  "customers.create": (context, { path, body }) => {
    const partner = requireActivePartner(context, path.externalPartnerId);
    const { externalCustomerId: externalId, name, plan } = body;
    // The external ID must differ from the external ID of each of the distributor's organizations
    // (D-v1-link).
    if (isExternalIdTaken(context, externalId)) {
      throw refuse(
        "DUPLICATE_EXTERNAL_CUSTOMER_ID",
        "v1.customer.duplicate",
        `the external id ${externalId} is already in use`,
      );
    }
    const id = provisionOrganization(context, {
      type: "customer",
      name,
      externalId,
      parentId: partner.organizationId,
    });
    if (plan !== undefined) setPlan(context, id, plan); // D-v1-customer
    return requireCustomer(context, externalId);
  },

  "customers.get": (context, { path }) => requireCustomer(context, path.externalCustomerId),

  "customers.delete": (context, { path }) => {
    const customer = requireCustomer(context, path.externalCustomerId);
    endOrganization(context, requireOrganization(context, customer.organizationId));
  },

  "customers.plan": (context, { path, body }) => {
    const customer = requireCustomer(context, path.externalCustomerId);
    setPlan(context, customer.organizationId, body.plan); // D-v1-plan
    return requireCustomer(context, customer.externalCustomerId);
  },
};
