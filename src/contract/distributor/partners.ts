import * as z from "zod";
import { assumed } from "../assumed.js";
import { defineOperations } from "../operation.js";
import { ObjectId, Timestamp } from "../primitives.js";
import { Plan } from "./customers.js";
import { distributorPage, ExternalId, Month, OrganizationName, period, totals } from "./primitives.js";

/** D-v1-partner */
const Partner = z.object({
  externalPartnerId: z.string(),
  name: z.string(),
  status: z.enum(["active", "blocked", "inactive"]),
  /** Its internal MSP organization; null after that was deleted. */
  organizationId: z.nullable(ObjectId),
  createdAt: Timestamp,
});

const PartnerCreate = assumed(
  "D-v1-partner",
  z.strictObject({ externalPartnerId: ExternalId, name: OrganizationName }),
  z.looseObject({ externalPartnerId: z.string("must be an identifier").min(1, "must not be empty") }),
);
const PartnerUpdate = assumed("D-v1-partner", z.strictObject({ name: OrganizationName.optional() }));

/** D-v1-usage */
const PartnerUsageRecord = z.object({
  externalPartnerId: z.string(),
  /** Null for calls of the partner's own organization. */
  externalCustomerId: z.nullable(z.string()),
  organizationId: ObjectId,
  date: z.string(),
  ...totals,
});
const PartnerBilling = z.object({
  externalPartnerId: z.string(),
  month: z.string(),
  totals: z.object(totals),
  customers: z.array(z.object({ externalCustomerId: z.string(), plan: Plan, ...totals })),
});

const parameters = { externalPartnerId: ExternalId };

export const partners = defineOperations({
  "partners.list": {
    surface: "distributor-v1",
    method: "GET",
    path: "/partners",
    pathAssumed: "D-v1-paths",
    summary: "List partners",
    query: distributorPage({}),
    answer: "page",
    response: Partner,
    success: 200,
    errors: [400],
    bucket: "distributor",
    permission: "partners:read",
    feature: null,
  },
  "partners.create": {
    surface: "distributor-v1",
    method: "POST",
    path: "/partners",
    pathAssumed: "D-v1-paths",
    summary: "Create a partner",
    body: PartnerCreate,
    answer: "item",
    response: Partner,
    success: 201,
    errors: [400, 409],
    bucket: "distributor",
    permission: "partners:write",
    feature: null,
  },
  "partners.get": {
    surface: "distributor-v1",
    method: "GET",
    path: "/partners/{externalPartnerId}",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Show a partner",
    answer: "item",
    response: Partner,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "partners:read",
    feature: null,
  },
  "partners.update": {
    surface: "distributor-v1",
    method: "PATCH",
    path: "/partners/{externalPartnerId}",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Rename a partner",
    body: PartnerUpdate,
    answer: "item",
    response: Partner,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "partners:write",
    feature: null,
  },
  "partners.delete": {
    surface: "distributor-v1",
    method: "DELETE",
    path: "/partners/{externalPartnerId}",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Delete a partner whose organizations are gone",
    answer: "empty",
    success: 200,
    errors: [400, 404, 409],
    bucket: "distributor",
    permission: "partners:delete",
    feature: null,
  },
  "partners.usage": {
    surface: "distributor-v1",
    method: "GET",
    path: "/usage",
    pathAssumed: "D-v1-paths",
    summary: "Show usage by partner, customer and day",
    query: distributorPage({ ...period, externalPartnerId: ExternalId.optional() }),
    answer: "page",
    response: PartnerUsageRecord,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "usage:read",
    feature: null,
  },
  "partners.billing": {
    surface: "distributor-v1",
    method: "GET",
    path: "/partners/{externalPartnerId}/billing",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Show what a partner's customers are billed for a month",
    query: z.object({ month: Month.optional() }),
    answer: "item",
    response: PartnerBilling,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "billing:read",
    feature: null,
  },
});

export type Partner = z.output<typeof Partner>;
export type PartnerUsageRecord = z.output<typeof PartnerUsageRecord>;
export type PartnerBilling = z.output<typeof PartnerBilling>;
