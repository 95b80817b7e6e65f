import * as z from "zod";
import { defineControl } from "./operation.js";

export const Clock = z.looseObject({ mode: z.enum(["real", "virtual"]), now: z.string() });

export const clock = defineControl({
  "clock.get": {
    method: "GET",
    path: "/clock",
    summary: "Show the world's time and whether it moves by itself",
    response: Clock,
  },
  "clock.due": {
    method: "GET",
    path: "/clock/due",
    summary: "List what happens next by the clock alone, the soonest of each kind",
    query: z.object({
      /** Only what happens until then, how far off a key's end may be. */
      until: z.iso.datetime({ offset: true }).optional(),
    }),
    responseShape: "page",
    // An older emulator counts nothing.
    response: z.looseObject({ at: z.string(), event: z.string(), count: z.number().optional() }),
  },
  "clock.update": {
    method: "PATCH",
    path: "/clock",
    summary: "Move the world's time forward, freeze it or let it run",
    body: z
      .strictObject({
        mode: z.enum(["real", "virtual"]).optional(),
        advance_seconds: z.number().min(0).optional(),
        set: z.iso.datetime({ offset: true }).optional(),
        /** To the next due event; where nothing is due, the clock stays. */
        next: z.literal(true).optional(),
      })
      .refine((body) => !body.next || (body.advance_seconds === undefined && body.set === undefined), {
        path: ["next"],
        message: "goes with neither advance_seconds nor set",
        params: { rule: "emulator.clock" },
      }),
    // Events answer `next` only, and not that of an older emulator.
    response: Clock.extend({ events: z.array(z.string()).optional() }),
  },
});
