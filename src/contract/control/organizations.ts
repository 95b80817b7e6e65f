import * as z from "zod";
import { features } from "./choices.js";
import { defineControl } from "./operation.js";

const Features = z.array(z.enum(features, `must be one of ${features.join(", ")}`));

const Organization = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  features: z.array(z.string()),
  number_pool: z.number(),
});
const Distributor = z.looseObject({ id: z.string(), name: z.string() });

export const organizations = defineControl({
  "organizations.list": {
    method: "GET",
    path: "/organizations",
    summary: "List the emulator's organizations",
    query: z.object({ counts: z.enum(["true", "false"]).optional() }),
    responseShape: "page",
    response: Organization.extend({
      type: z.string().nullable(),
      parent_id: z.string().nullable(),
      distributor_id: z.string().nullable(),
      /** Number of resources by type. Present only if the query contains `counts=true`. */
      counts: z.record(z.string(), z.number()).optional(),
    }),
  },
  "organizations.create": {
    method: "POST",
    path: "/organizations",
    summary: "Create an organization without a distributor",
    body: z.strictObject({
      name: z.string().trim().min(1).max(200).default("Organization"),
      features: Features.optional(),
    }),
    response: Organization,
  },
  "organizations.update": {
    method: "PATCH",
    path: "/organizations/{id}",
    summary: "Change an organization's features, status or phone number pool",
    body: z.strictObject({
      features: Features.optional(),
      status: z.enum(["active", "blocked"]).optional(),
      /** Number of phone numbers that are still available (D-assistant). */
      number_pool: z.int().min(0).max(100_000).optional(),
    }),
    response: Organization,
  },
  "distributors.list": {
    method: "GET",
    path: "/distributors",
    summary: "List the emulator's distributors",
    responseShape: "page",
    response: Distributor,
  },
  "distributors.create": {
    method: "POST",
    path: "/distributors",
    summary: "Create a distributor",
    body: z.strictObject({ name: z.string().trim().min(1).max(200).default("Distributor") }),
    response: Distributor,
  },
});
