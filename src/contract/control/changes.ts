import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

/** Longest time that a request can wait. The client then sends another request. */
const longestWaitSeconds = 30;

export const changes = defineControl({
  "changes.get": {
    method: "GET",
    path: "/changes",
    summary: "Wait until the emulator state changes",
    query: z.object({
      /** The last revision that the client knows. The server responds when a newer one exists. */
      after: z.coerce.number().int().min(0).optional(),
      /** ID of the last request that the client has seen (default: the newest). */
      seen_request: z.coerce.number().int().min(0).optional(),
      wait_seconds: z.coerce.number().min(0).max(longestWaitSeconds).default(0),
    }),
    response: Clock.extend({
      /** Starts at zero whenever the server starts. */
      revision: z.number(),
      /** Time of the next event. */
      next_at: z.string().nullable(),
      /** ID of the newest logged request; 0 if the log is empty. */
      last_request: z.number(),
      /** Number of requests after `seen_request` that did not come from the web page. `unseen_errors` counts the refused ones. */
      unseen_requests: z.number(),
      unseen_errors: z.number(),
      calls_under_way: z.number(),
      /** Number of faults that can still be applied. */
      faults: z.number(),
    }),
  },
});
