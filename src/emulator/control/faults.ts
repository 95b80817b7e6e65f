import * as z from "zod";
import { wireOperations } from "../../contract/wire.js";
import { isoTime } from "../kernel/clock.js";
import { faultKinds } from "../kernel/fault-kinds.js";
import { type Fault, faultOf } from "../kernel/faults.js";
import { invalid, notFound } from "../refusal.js";
import { type ControlCall, controlCall } from "./call.js";

/** Timers tell no more than 24 days, and no command waits that long. */
const longestDelay = 86_400_000;
const longestSeconds = 100 * 366 * 86_400;

const FaultCreate = z.strictObject({
  // A fault that aims at nothing would never strike, and its author would not know why.
  operation: z
    .string()
    .refine(
      (name) => Object.hasOwn(wireOperations, name),
      "is no operation; they are named like contacts.create",
    )
    .optional(),
  method: z
    .string()
    .regex(/^(GET|POST|PUT|PATCH|DELETE)$/i, "must be one of GET, POST, PUT, PATCH, DELETE")
    .optional(),
  path: z.string().regex(/^[/*]/, "must be a whole path, like /api/v1/contacts/*").max(1_000).optional(),
  key_id: z.string().optional(),
  kind: z.enum(faultKinds, `must be one of ${faultKinds.join(", ")}`),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(1).optional(),
  skip: z.int().min(0).default(0),
  delay_ms: z.int().min(0).max(longestDelay).optional(),
  // To the millisecond: what ends at once would never strike, either.
  expires_in_seconds: z.number().min(0.001, "must be a millisecond at least").max(longestSeconds).optional(),
});

function show({ expires_at, ...fault }: Fault) {
  return { ...fault, expires_at: expires_at === null ? null : isoTime(expires_at) };
}

export const faultCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/faults",
    list: true,
    run: ({ world }) =>
      world.database
        .prepare("SELECT * FROM faults ORDER BY id")
        .all()
        .map((row) => show(faultOf(row))),
  }),
  controlCall({
    method: "POST",
    path: "/faults",
    body: FaultCreate,
    success: 201,
    run: ({ world }, { body }) => {
      if (body.kind === "delay" && body.delay_ms === undefined) {
        throw invalid("emulator.faults", [{ path: ["delay_ms"], message: "is required for a delay" }]);
      }
      const now = world.clock.now();
      const id = world.ids.next();
      world.database
        .prepare(
          "INSERT INTO faults (id, operation, method, path, key_id, kind, probability, times, skip, delay_ms, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .run(
          id,
          body.operation ?? null,
          body.method ?? null,
          body.path ?? null,
          body.key_id ?? null,
          body.kind,
          body.probability ?? null,
          body.times ?? null,
          body.skip,
          body.delay_ms ?? null,
          body.expires_in_seconds === undefined ? null : now + Math.round(body.expires_in_seconds * 1000),
          now,
        );
      const row = world.database.prepare("SELECT * FROM faults WHERE id = ?").get(id);
      return row && show(faultOf(row));
    },
  }),
  controlCall({
    method: "DELETE",
    path: "/faults",
    run: ({ world }) => {
      const faults = world.database.prepare("DELETE FROM faults").run();
      return { deleted: true, faults };
    },
  }),
  controlCall({
    method: "DELETE",
    path: "/faults/{id}",
    run: ({ world }, { id }) => {
      const deleted = world.database.prepare("DELETE FROM faults WHERE id = ?").run(id);
      if (deleted === 0) throw notFound(`the fault ${id}`, "emulator.control");
      return { id, deleted: true };
    },
  }),
];
