import * as z from "zod";
import { exampleIds, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId } from "../primitives.js";
import { distributorPage, Month, period, totals } from "./primitives.js";

/** D-v2-usage */
const UsageRecord = z.object({
  organizationId: ObjectId,
  externalOrganizationId: z.string(),
  date: z.string(),
  ...totals,
});

/** D-v2-billing */
const BillingSummary = z.object({
  organizationId: ObjectId,
  month: z.string(),
  licenses: z.array(
    z.object({
      externalLicenseId: z.string(),
      product: z.nullable(z.string()),
      status: z.enum(["available", "assigned", "disabled"]),
    }),
  ),
  totals: z.object(totals),
  organizations: z.array(
    z.object({ organizationId: ObjectId, externalOrganizationId: z.string(), ...totals }),
  ),
});

const used = { calls: 12, durationSeconds: 1130, billableSeconds: 1260 };
const unused = { calls: 0, durationSeconds: 0, billableSeconds: 0 };
setExample(UsageRecord, {
  organizationId: exampleIds.customerOrganizationId,
  externalOrganizationId: "optik-lange",
  date: "2026-11-17",
  ...used,
});
setExample(BillingSummary, {
  organizationId: exampleIds.organizationId,
  month: "2026-11",
  licenses: [
    { externalLicenseId: "elbe-base", product: "MSP", status: "assigned" },
    { externalLicenseId: "elbe-001", product: "Standard", status: "assigned" },
  ],
  totals: used,
  organizations: [
    { organizationId: exampleIds.organizationId, externalOrganizationId: "elbe", ...unused },
    { organizationId: exampleIds.customerOrganizationId, externalOrganizationId: "optik-lange", ...used },
  ],
});

export const usage = defineOperations(
  { api: "distributor-v2", about: "Usage by organization and day.", area: "usage" },
  {
    "usage.list": {
      method: "GET",
      path: "/usage",
      summary: "Show usage by organization and day",
      query: distributorPage({ ...period, organizationId: ObjectId.optional() }),
      responseShape: "page",
      response: UsageRecord,
      errors: [404],
    },
    "billing.get": {
      about: "Monthly billing summaries.",
      method: "GET",
      path: "/organizations/{organizationId}/billing-summary",
      summary: "Show an organization's billing for a month",
      query: z.object({ month: Month.optional() }),
      responseShape: "item",
      response: BillingSummary,
      permission: "billing:read",
    },
  },
);

export type UsageRecord = z.output<typeof UsageRecord>;
export type BillingSummary = z.output<typeof BillingSummary>;
