import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

export const emulator = defineControl({
  status: {
    method: "GET",
    path: "/status",
    summary: "Show the emulator's version, clock and row counts",
    response: z.looseObject({
      version: z.string(),
      uptime_seconds: z.number(),
      db: z.string(),
      pid: z.number(),
      world_id: z.string(),
      clock: Clock,
      unreadable_secrets: z.number(),
      counts: z.record(z.string(), z.number()),
    }),
  },
  stop: {
    method: "POST",
    path: "/stop",
    summary: "Finish the requests in progress, then stop the server",
    success: 200,
    response: z.looseObject({ stopping: z.boolean() }),
  },
  reset: {
    method: "POST",
    path: "/reset",
    summary: "Reset the emulator to its initial data and keys",
    success: 200,
    body: z.strictObject({
      seed: z.enum(["empty", "demo"]).default("empty"),
      new_keys: z.boolean().default(false),
    }),
    /** The URLs and keys, in the form that the emulator prints when it starts. */
    response: z.looseObject({}),
  },
});
