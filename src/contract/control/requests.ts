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
  /** Faults that affected the request. Older emulators don't send this field. */
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
    summary: "List requests, newest first, in pages of at most 512 KiB; `before` selects the next page",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      after: z.coerce.number().int().min(0).optional(),
      before: z.coerce.number().int().min(0).optional(),
      status: z.coerce.number().int().optional(),
      path: z.string().optional(),
      /** Only requests with status 400 or above. */
      errors: Flag.optional(),
      /** Text to find in path, method, code, rule or bodies. */
      search: z.string().optional(),
      /** Whether to include requests from the emulator's web page (default: true). */
      page: Flag.optional(),
      /** Whether to omit bodies and headers. */
      brief: Flag.optional(),
    }),
    responseShape: "page",
    response: LoggedRequest,
  },
  "requests.get": {
    method: "GET",
    path: "/requests/{id}",
    summary: "Show a logged request",
    response: LoggedRequest,
  },
  "requests.errors": {
    method: "GET",
    path: "/request-errors",
    summary: "Group requests with status 400 or above by operation and API rule, newest first",
    query: z.object({
      /** Whether to include requests from the emulator's web page (default: true). */
      page: Flag.optional(),
    }),
    responseShape: "page",
    response: z.looseObject({
      operation: z.string().nullable(),
      method: z.string(),
      path: z.string(),
      status: z.number(),
      code: z.string().nullable(),
      rule: z.string().nullable(),
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
    summary: "Clear the request log",
    response: z.looseObject({ cleared: z.number() }),
  },
});
