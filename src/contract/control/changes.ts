import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

/** The longest wait; then the client asks again. */
const longestWaitSeconds = 30;

export const changes = defineControl({
  "changes.get": {
    method: "GET",
    path: "/changes",
    summary: "Wait for a change and show it",
    query: z.object({
      /** The last known revision: the response comes as soon as there is a newer one. */
      after: z.coerce.number().int().min(0).optional(),
      /** The id of the last request that was seen. Default: the newest. */
      seen_request: z.coerce.number().int().min(0).optional(),
      wait_seconds: z.coerce.number().min(0).max(longestWaitSeconds).default(0),
    }),
    response: Clock.extend({
      /** Counter of this server; a restarted server counts from zero. */
      revision: z.number(),
      /** The time of the next event. */
      next_at: z.string().nullable(),
      /** The id of the newest request of the log; 0 without any. */
      last_request: z.number(),
      /**
       * Number of requests after the last seen one, without those of the page, and how many of them were
       * refused.
       */
      unseen_requests: z.number(),
      unseen_errors: z.number(),
      calls_under_way: z.number(),
      /** The faults that can still be applied. */
      faults: z.number(),
    }),
  },
});
