import { customers as customerOperations } from "../../contract/distributor/customers.js";
import { acceptArgument, acceptArgumentOrFlag, acceptFlag } from "../derive/accept-argument.js";
import type { Noun } from "../derive/noun.js";
import { operationCommand } from "../derive/resource.js";

const partnerFlag = {
  name: "partner",
  value: "external-id",
  description: "External ID of the partner",
};

const derived: Noun = {
  name: "customers",
  noun: "customer",
  plural: "customers",
  summary: "Manage customers of partners (distributor API v1)",
  operations: customerOperations,
  columns: [
    { header: "EXTERNAL ID", value: "externalCustomerId", keep: true },
    { header: "NAME", value: "name" },
    { header: "PLAN", value: "plan", keep: true },
    { header: "STATUS", value: "status", as: "status", keep: true },
    { header: "ORGANIZATION", value: "organizationId", keep: true, optional: true },
    { header: "CREATED", value: "createdAt", as: "time", keep: true, optional: true },
  ],
  verbs: {
    "customers.list": {
      examples: [{ command: "voxctl customers list altstadt-edv" }],
    },
    "customers.get": { examples: [{ command: "voxctl customers get altstadt-optik" }] },
    "customers.create": {
      examples: [
        {
          command:
            'voxctl customers create --partner altstadt-edv --external-id altstadt-backhaus --name "Altstadt Backhaus" --plan starter',
        },
      ],
      flagNames: { externalCustomerId: "external-id" },
      flagHelp: {
        externalCustomerId: "Your own ID for the customer",
        plan: "Subscription plan: starter, business or enterprise",
      },
    },
    "customers.delete": {
      description: "Deletes the customer with all its data. The customer's API keys stop working.",
      examples: [{ command: "voxctl customers delete altstadt-optik --yes" }],
    },
    "customers.plan": {
      examples: [{ command: "voxctl customers plan altstadt-optik business" }],
    },
  },
};

/** Customers of distributor API v1. */
export const customers: Noun = {
  ...derived,
  commands: [
    acceptArgumentOrFlag(
      operationCommand("customers.list", customerOperations["customers.list"], derived),
      partnerFlag,
    ),
    acceptFlag(
      operationCommand("customers.create", customerOperations["customers.create"], derived),
      partnerFlag,
    ),
    acceptArgument(
      operationCommand("customers.plan", customerOperations["customers.plan"], derived),
      "plan",
      "Subscription plan: starter, business or enterprise",
    ),
  ],
};
