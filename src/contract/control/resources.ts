import * as z from "zod";
import { defineControl } from "./operation.js";
import { olderThan } from "./paging.js";

export const namedResources = [
  "assistants",
  "contacts",
  "groups",
  "knowledge",
  "prompts",
  "forwardings",
  "glossary",
  "pronunciation",
  "calendars",
  "tools",
] as const;

export const resources = defineControl({
  "resources.list": {
    method: "GET",
    path: "/resources/{resource}",
    summary: "Find an organization's resources by name, newest first (not rate-limited or logged)",
    query: z.object({
      ...olderThan,
      organization_id: z.string().optional(),
      group_id: z.string().optional(),
      search: z.string().optional(),
    }),
    responseShape: "page",
    response: z.looseObject({
      id: z.string(),
      name: z.string(),
      /** A value that distinguishes resources of the same name, such as a phone number or a type. */
      about: z.string().nullable(),
      group_id: z.string().nullable(),
      updated_at: z.string(),
    }),
  },
  "names.list": {
    method: "GET",
    path: "/names",
    summary: "Look up resource names by ID",
    query: z.object({ ids: z.string().max(10_000) }),
    responseShape: "page",
    response: z.looseObject({ id: z.string(), resource: z.string(), name: z.string() }),
  },
});
