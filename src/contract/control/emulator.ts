import * as z from "zod";
import { Clock } from "./clock.js";
import { defineControl } from "./operation.js";

/** Calls for the emulator state as a whole. */
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
      /** Stored secrets that the file's key does not open. */
      unreadable_secrets: z.number(),
      /** Rows by table. */
      counts: z.record(z.string(), z.number()),
    }),
  },
  stop: {
    method: "POST",
    path: "/stop",
    summary: "End the server, once it has answered what is in flight",
    success: 200,
    response: z.looseObject({ stopping: z.boolean() }),
  },
  reset: {
    method: "POST",
    path: "/reset",
    summary: "Reset the emulator state to a seed; seeded keys are kept",
    success: 200,
    body: z.strictObject({
      seed: z.enum(["empty", "demo"]).default("empty"),
      new_keys: z.boolean().default(false),
    }),
    /** The start line: addresses and keys. */
    response: z.looseObject({}),
  },
});
