import * as z from "zod";
import { wireOperations } from "../wire.js";
import { faultTypes } from "./choices.js";
import { defineControl } from "./operation.js";

/** Longest delay: one day, in milliseconds. A timer can't wait longer than 24 days. */
const longestDelay = 86_400_000;
const longestSeconds = 100 * 366 * 86_400;

const FaultCreate = z.strictObject({
  // Refuse an unknown operation, because its fault would never be applied.
  operation: z
    .string()
    .refine(
      (name) => Object.hasOwn(wireOperations, name),
      "unknown operation; use a resource and an action, such as contacts.create, knowledge.update or calls.create",
    )
    .optional(),
  method: z
    .string()
    .regex(/^(GET|POST|PUT|PATCH|DELETE)$/i, "must be one of GET, POST, PUT, PATCH, DELETE")
    .optional(),
  path: z.string().regex(/^[/*]/, "must be a full path, such as /api/v1/contacts/*").max(1_000).optional(),
  key_id: z.string().optional(),
  kind: z.enum(faultTypes, `must be one of ${faultTypes.join(", ")}`),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(1).optional(),
  skip: z.int().min(0).default(0),
  delay_ms: z.int().min(0).max(longestDelay, "must be at most 1 day").optional(),
  // A shorter fault would expire before its first use, because the clock counts milliseconds.
  expires_in_seconds: z
    .number()
    .min(0.001, "must be at least one millisecond")
    .max(longestSeconds, "must be at most 36,600 days")
    .optional(),
});

const Fault = z.looseObject({
  id: z.string(),
  operation: z.string().nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  key_id: z.string().nullable(),
  kind: z.string(),
  probability: z.number().nullable(),
  times: z.number().nullable(),
  skip: z.number(),
  delay_ms: z.number().nullable(),
  expires_at: z.string().nullable(),
  /** Number of requests that the fault could affect. */
  matched: z.number(),
  /** Number of requests that the fault affected. */
  struck: z.number(),
});

export const faults = defineControl({
  "faults.list": {
    method: "GET",
    path: "/faults",
    summary: "List faults and how often each was applied",
    responseShape: "page",
    response: Fault,
  },
  "faults.create": {
    method: "POST",
    path: "/faults",
    summary: "Add a fault",
    body: FaultCreate,
    response: Fault,
  },
  "faults.clear": {
    method: "DELETE",
    path: "/faults",
    summary: "Remove all faults",
    response: z.looseObject({ deleted: z.literal(true), faults: z.number() }),
  },
  "faults.delete": {
    method: "DELETE",
    path: "/faults/{id}",
    summary: "Remove a fault",
    response: z.looseObject({ id: z.string(), deleted: z.literal(true) }),
  },
});
