import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

const longestWaitSeconds = 30;

export const changes = defineControl({
  "changes.get": {
    method: "GET",
    path: "/changes",
    summary: "Wait until the emulator state changes",
    query: z.object({
      /** Last revision that the client knows. The server waits for a newer revision. */
      after: z.coerce.number().int().min(0).optional(),
      /** ID of the last logged request that the client has seen (default: the newest). */
      seen_request: z.coerce.number().int().min(0).optional(),
      wait_seconds: z.coerce.number().min(0).max(longestWaitSeconds).default(0),
    }),
    response: Clock.extend({
      /** Number that increases with each change. The number is zero when the server starts. */
      revision: z.number(),
      next_at: z.string().nullable(),
      last_request: z.number(),
      /** Number of logged requests after `seen_request`, except requests from the web page. */
      unseen_requests: z.number(),
      unseen_errors: z.number(),
      calls_under_way: z.number(),
      faults: z.number(),
    }),
  },
});
