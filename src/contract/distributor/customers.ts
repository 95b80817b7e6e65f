import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
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

export const customers = defineOperations({
  "customers.list": {
    surface: "distributor-v1",
    method: "GET",
    path: "/partners/{externalPartnerId}/customers",
    pathAssumed: "D-v1-paths",
    parameters: { externalPartnerId: ExternalId },
    summary: "List a partner's customers",
    query: distributorPage({}),
    answer: "page",
    response: Customer,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "customers:read",
    feature: null,
  },
  "customers.create": {
    surface: "distributor-v1",
    method: "POST",
    path: "/partners/{externalPartnerId}/customers",
    pathAssumed: "D-v1-paths",
    parameters: { externalPartnerId: ExternalId },
    summary: "Create a customer of a partner",
    body: CustomerCreate,
    answer: "item",
    response: Customer,
    success: 201,
    errors: [400, 404, 409],
    bucket: "distributor",
    permission: "customers:write",
    feature: null,
  },
  "customers.get": {
    surface: "distributor-v1",
    method: "GET",
    path: "/customers/{externalCustomerId}",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Show a customer",
    answer: "item",
    response: Customer,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "customers:read",
    feature: null,
  },
  "customers.delete": {
    surface: "distributor-v1",
    method: "DELETE",
    path: "/customers/{externalCustomerId}",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Delete a customer",
    answer: "empty",
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "customers:delete",
    feature: null,
  },
  "customers.plan": {
    surface: "distributor-v1",
    method: "PUT",
    path: "/customers/{externalCustomerId}/plan",
    pathAssumed: "D-v1-paths",
    parameters,
    summary: "Set a customer's plan",
    body: PlanChange,
    answer: "item",
    response: Customer,
    success: 200,
    errors: [400, 404],
    bucket: "distributor",
    permission: "customers:write",
    feature: null,
  },
});

export type Customer = z.output<typeof Customer>;
