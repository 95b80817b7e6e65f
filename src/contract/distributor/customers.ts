import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTime, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId, Timestamp } from "../primitives.js";
import { distributorPage, ExternalId, OrganizationName } from "./primitives.js";

/** D-v1-plan */
const plans = ["starter", "business", "enterprise"] as const;
export const Plan = ruled("v1.plan", z.enum(plans, `must be one of ${plans.join(", ")}`));

/** D-v1-customer */
const Customer = z.object({
  externalCustomerId: z.string(),
  externalPartnerId: z.string(),
  organizationId: ObjectId,
  name: z.string(),
  plan: z.nullable(Plan),
  status: z.enum(["active", "blocked"]),
  createdAt: Timestamp,
});

const CustomerCreate = assumed(
  "D-v1-customer",
  z.strictObject({ externalCustomerId: ExternalId, name: OrganizationName, plan: Plan.optional() }),
  z.looseObject({ externalCustomerId: z.string("must be an identifier").min(1, "must not be empty") }),
);
const PlanChange = assumed("D-v1-plan", z.strictObject({ plan: Plan }));

const parameters = { externalCustomerId: ExternalId };

setExample(Customer, {
  externalCustomerId: "optik-lange",
  externalPartnerId: "elbe",
  organizationId: exampleIds.customerOrganizationId,
  name: "Optik Lange",
  plan: "business",
  status: "active",
  createdAt: exampleTime,
});
setExample(CustomerCreate, { externalCustomerId: "optik-lange", name: "Optik Lange", plan: "business" });
setExample(PlanChange, { plan: "enterprise" });

export const customers = defineOperations(
  {
    api: "distributor-v1",
    about: "Partners' customers and their subscription plans.",
    area: "customers",
    pathAssumed: "D-v1-paths",
  },
  {
    "customers.list": {
      method: "GET",
      path: "/partners/{externalPartnerId}/customers",
      parameters: { externalPartnerId: ExternalId },
      summary: "List a partner's customers",
      query: distributorPage({}),
      responseShape: "page",
      response: Customer,
    },
    "customers.create": {
      method: "POST",
      path: "/partners/{externalPartnerId}/customers",
      parameters: { externalPartnerId: ExternalId },
      summary: "Create a customer for a partner",
      body: CustomerCreate,
      responseShape: "item",
      response: Customer,
      errors: [409],
    },
    "customers.get": {
      method: "GET",
      path: "/customers/{externalCustomerId}",
      parameters,
      summary: "Show a customer",
      responseShape: "item",
      response: Customer,
    },
    "customers.delete": {
      method: "DELETE",
      path: "/customers/{externalCustomerId}",
      parameters,
      summary: "Delete a customer",
      responseShape: "empty",
    },
    "customers.plan": {
      method: "PUT",
      path: "/customers/{externalCustomerId}/plan",
      parameters,
      summary: "Set a customer's subscription plan",
      body: PlanChange,
      responseShape: "item",
      response: Customer,
    },
  },
);

export type Customer = z.output<typeof Customer>;
