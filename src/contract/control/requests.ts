import * as z from "zod";
import { defineControl } from "./operation.js";

const Flag = z.enum(["true", "false"]);

/** Secrets are masked. */
const LoggedRequest = z.looseObject({
  id: z.number(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  code: z.string().nullable(),
  rule: z.string().nullable(),
  duration_ms: z.number(),
  key_id: z.string().nullable(),
  /** Faults that struck it; an older emulator does not tell. */
  faults: z.array(z.looseObject({ id: z.string(), kind: z.string() })).optional(),
  request_body: z.string().nullable().optional(),
  response_body: z.string().nullable().optional(),
  request_headers: z.record(z.string(), z.string()).nullable().optional(),
  response_headers: z.record(z.string(), z.string()).nullable().optional(),
});

export const requests = defineControl({
  "requests.list": {
    method: "GET",
    path: "/requests",
    summary:
      "Show the last requests, newest first; a page ends after 512 KiB, and the next one starts with before",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      /** An id: only what came after it, for following. */
      after: z.coerce.number().int().min(0).optional(),
      /** An id: only what came before it, for the next page. */
      before: z.coerce.number().int().min(0).optional(),
      status: z.coerce.number().int().optional(),
      path: z.string().optional(),
      /** Only those that were answered with 400 and above. */
      errors: Flag.optional(),
      /** A part of the address, the method, the code, the rule or either body. */
      search: z.string().optional(),
      /** Whether to include requests of the emulator's page. Default: true. */
      page: Flag.optional(),
      /** Without bodies and headers. */
      brief: Flag.optional(),
    }),
    responseShape: "page",
    response: LoggedRequest,
  },
  "requests.get": {
    method: "GET",
    path: "/requests/{id}",
    summary: "Show a request of the log",
    response: LoggedRequest,
  },
  "requests.errors": {
    method: "GET",
    path: "/request-errors",
    summary:
      "Group the requests that were answered with 400 and above, by operation and rule, the last first",
    query: z.object({
      /** Whether to include requests of the emulator's page. Default: true. */
      page: Flag.optional(),
    }),
    responseShape: "page",
    response: z.looseObject({
      /** Null of an address that belongs to no operation. */
      operation: z.string().nullable(),
      method: z.string(),
      /** An address among them: that of the last one. */
      path: z.string(),
      status: z.number(),
      code: z.string().nullable(),
      rule: z.string().nullable(),
      /** Whether faults made them. */
      faults: z.array(z.string()),
      count: z.number(),
      first_id: z.number(),
      first_at: z.string(),
      last_id: z.number(),
      last_at: z.string(),
    }),
  },
  "requests.clear": {
    method: "DELETE",
    path: "/requests",
    summary: "Forget the requests that there were",
    response: z.looseObject({ cleared: z.number() }),
  },
});
