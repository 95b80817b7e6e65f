import * as z from "zod";
import { defineControl } from "./operation.js";

export const Clock = z.looseObject({ mode: z.enum(["real", "virtual"]), now: z.string() });

export const clock = defineControl({
  "clock.get": {
    method: "GET",
    path: "/clock",
    summary: "Show the emulator's time and clock mode",
    response: Clock,
  },
  "clock.due": {
    method: "GET",
    path: "/clock/due",
    summary: "List the next scheduled event of each type",
    query: z.object({
      /** Latest time to include (default: one week from now for expiring keys, no limit for other events). */
      until: z.iso.datetime({ offset: true }).optional(),
    }),
    responseShape: "page",
    // Older emulators don't send `count`.
    response: z.looseObject({ at: z.string(), event: z.string(), count: z.number().optional() }),
  },
  "clock.update": {
    method: "PATCH",
    path: "/clock",
    summary: "Advance, freeze or run the emulator's clock",
    body: z
      .strictObject({
        mode: z.enum(["real", "virtual"]).optional(),
        advance_seconds: z.number().min(0).optional(),
        set: z.iso.datetime({ offset: true }).optional(),
        next: z.literal(true).optional(),
      })
      .refine((body) => !body.next || (body.advance_seconds === undefined && body.set === undefined), {
        path: ["next"],
        message: "can't be combined with advance_seconds or set",
        params: { rule: "emulator.clock" },
      }),
    // Only the response to `next` contains `events`. Older emulators never send `events`.
    response: Clock.extend({ events: z.array(z.string()).optional() }),
  },
});
