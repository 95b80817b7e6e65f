import * as z from "zod";
import { assumed } from "../assumed.js";
import { exampleIds, exampleTime, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId, Timestamp } from "../primitives.js";
import { Plan } from "./customers.js";
import { distributorPage, ExternalId, Month, OrganizationName, period, totals } from "./primitives.js";

/** D-v1-partner */
const Partner = z.object({
  externalPartnerId: z.string(),
  name: z.string(),
  status: z.enum(["active", "blocked", "inactive"]),
  /** ID of the partner's internal MSP organization; null if that organization was deleted. */
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
  /** Null for the partner's own calls. */
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

const used = { calls: 12, durationSeconds: 1130, billableSeconds: 1260 };
setExample(Partner, {
  externalPartnerId: "elbe",
  name: "Elbe Systemhaus",
  status: "active",
  organizationId: exampleIds.organizationId,
  createdAt: exampleTime,
});
setExample(PartnerCreate, { externalPartnerId: "elbe", name: "Elbe Systemhaus" });
setExample(PartnerUpdate, { name: "Elbe Systemhaus GmbH" });
setExample(PartnerUsageRecord, {
  externalPartnerId: "elbe",
  externalCustomerId: "optik-lange",
  organizationId: exampleIds.customerOrganizationId,
  date: "2026-11-17",
  ...used,
});
setExample(PartnerBilling, {
  externalPartnerId: "elbe",
  month: "2026-11",
  totals: used,
  customers: [{ externalCustomerId: "optik-lange", plan: "business", ...used }],
});

export const partners = defineOperations(
  { api: "distributor-v1", about: "A distributor's partners.", area: "partners", pathAssumed: "D-v1-paths" }, // D-v1-permissions
  {
    "partners.list": {
      method: "GET",
      path: "/partners",
      summary: "List partners",
      query: distributorPage({}),
      responseShape: "page",
      response: Partner,
    },
    "partners.create": {
      method: "POST",
      path: "/partners",
      summary: "Create a partner",
      body: PartnerCreate,
      responseShape: "item",
      response: Partner,
      errors: [409],
    },
    "partners.get": {
      method: "GET",
      path: "/partners/{externalPartnerId}",
      parameters,
      summary: "Show a partner",
      responseShape: "item",
      response: Partner,
    },
    "partners.update": {
      method: "PATCH",
      path: "/partners/{externalPartnerId}",
      parameters,
      summary: "Rename a partner",
      body: PartnerUpdate,
      responseShape: "item",
      response: Partner,
    },
    "partners.delete": {
      method: "DELETE",
      path: "/partners/{externalPartnerId}",
      parameters,
      summary: "Delete a partner that has no organizations",
      responseShape: "empty",
      errors: [409],
    },
    "partners.usage": {
      method: "GET",
      path: "/usage",
      summary: "Show usage by partner, customer and day",
      query: distributorPage({ ...period, externalPartnerId: ExternalId.optional() }),
      responseShape: "page",
      response: PartnerUsageRecord,
      errors: [404],
      permission: "usage:read",
    },
    "partners.billing": {
      method: "GET",
      path: "/partners/{externalPartnerId}/billing",
      parameters,
      summary: "Show a partner's billing for a month",
      query: z.object({ month: Month.optional() }),
      responseShape: "item",
      response: PartnerBilling,
      permission: "billing:read",
    },
  },
);

export type Partner = z.output<typeof Partner>;
export type PartnerUsageRecord = z.output<typeof PartnerUsageRecord>;
export type PartnerBilling = z.output<typeof PartnerBilling>;
