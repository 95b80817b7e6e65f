import * as z from "zod";
import { defineControl } from "./operation.js";

export const requests = defineControl({
  "requests.list": {
    method: "GET",
    path: "/requests",
    summary: "Show the last requests, newest first",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(10_000).default(100),
      /** An id: only what came after it, for following. */
      after: z.coerce.number().int().min(0).optional(),
      status: z.coerce.number().int().optional(),
      path: z.string().optional(),
    }),
    answer: "page",
    /** Secrets are masked. */
    response: z.looseObject({
      id: z.number(),
      at: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.number(),
      code: z.string().nullable(),
      rule: z.string().nullable(),
      duration_ms: z.number(),
      key_id: z.string().nullable(),
      request_body: z.string().nullable(),
      response_body: z.string().nullable(),
    }),
  },
});
