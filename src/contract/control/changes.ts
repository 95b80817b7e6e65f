import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

/** The longest time that a request waits; then the client sends a new one. */
const longestWaitSeconds = 30;

export const changes = defineControl({
  "changes.get": {
    method: "GET",
    path: "/changes",
    summary: "Wait until the emulator state changes",
    query: z.object({
      /** The last known revision; the response is sent as soon as a newer revision exists. */
      after: z.coerce.number().int().min(0).optional(),
      /** Id of the last request that the client has seen (default: the newest). */
      seen_request: z.coerce.number().int().min(0).optional(),
      wait_seconds: z.coerce.number().min(0).max(longestWaitSeconds).default(0),
    }),
    response: Clock.extend({
      /** A counter of this server, which starts at zero when the server starts. */
      revision: z.number(),
      /** Time of the next event. */
      next_at: z.string().nullable(),
      /** Id of the newest logged request; 0 if the log is empty. */
      last_request: z.number(),
      /**
       * Number of requests after `seen_request`, excluding requests from the web page, and how many of those requests were refused.
       */
      unseen_requests: z.number(),
      unseen_errors: z.number(),
      calls_under_way: z.number(),
      /** Number of faults that can still be applied. */
      faults: z.number(),
    }),
  },
});
