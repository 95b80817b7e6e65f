import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

/** No watcher holds a connection for longer; it asks again. */
const longestWaitSeconds = 30;

export const changes = defineControl({
  "changes.get": {
    method: "GET",
    path: "/changes",
    summary: "Wait for a change, and show what changed",
    query: z.object({
      /** The revision that is known already: answered as soon as there is another one. */
      after: z.coerce.number().int().min(0).optional(),
      /** The id of the last request that was looked at. Default: that of the newest one. */
      seen_request: z.coerce.number().int().min(0).optional(),
      wait_seconds: z.coerce.number().min(0).max(longestWaitSeconds).default(0),
    }),
    response: Clock.extend({
      /** Counter of this server; a restarted server counts from zero. */
      revision: z.number(),
      /** When something happens next by the clock alone. */
      next_at: z.string().nullable(),
      /** The id of the newest request of the log, 0 without any. */
      last_request: z.number(),
      /** Number of requests after the last seen one, without those of the page; next, how many of them were refused. */
      unseen_requests: z.number(),
      unseen_errors: z.number(),
      calls_under_way: z.number(),
      /** Those that may strike yet. */
      faults: z.number(),
    }),
  },
});
