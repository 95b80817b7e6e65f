import * as z from "zod";
import { defineControl } from "./operation.js";
import { olderThan } from "./paging.js";

/** Things of an organization that have a name. */
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
    summary: "Find things of an organization by name, outside of limits and log, newest first",
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
      /** Another trait that tells it apart: a number, a kind. */
      about: z.string().nullable(),
      group_id: z.string().nullable(),
      updated_at: z.string(),
    }),
  },
  "names.list": {
    method: "GET",
    path: "/names",
    summary: "Tell how things are called that others name by these ids",
    /** Separated by commas. */
    query: z.object({ ids: z.string().max(10_000) }),
    responseShape: "page",
    response: z.looseObject({ id: z.string(), resource: z.string(), name: z.string() }),
  },
});
