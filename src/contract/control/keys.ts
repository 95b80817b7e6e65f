import * as z from "zod";
import { buckets } from "../limits.js";
import { DateTime } from "../primitives-texts.js";
import { keyTypes, roles } from "./choices.js";
import { defineControl } from "./operation.js";

const Limits = z.partialRecord(z.enum(Object.keys(buckets)), z.int().min(0));

const KeyCreate = z.strictObject({
  kind: z.enum(keyTypes),
  organization_id: z.string().optional(),
  distributor_id: z.string().optional(),
  /** Role of a key for an organization (default: admin). Keys of kind `distributor` have no role. */
  role: z.enum(roles).optional(),
  permissions: z
    .array(z.string().regex(/^[a-z_.]+:(read|write|delete)$/, "must be a permission like contacts:write"))
    .optional(),
  /** API versions of a key of kind `distributor` (default: both). */
  versions: z.array(z.enum(["v1", "v2"])).optional(),
  expires_at: DateTime.nullable().optional(),
  limits: Limits.optional(),
  name: z.string().trim().min(1).max(200).default("key"),
});

const KeyUpdate = z.strictObject({
  status: z.enum(["active", "revoked"]).optional(),
  expires_at: DateTime.nullable().optional(),
  limits: Limits.nullable().optional(),
});

const Key = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  prefix: z.string(),
  status: z.string(),
  creator: z.string(),
  organization_id: z.string().nullable(),
  distributor_id: z.string().nullable(),
  role: z.string().nullable(),
  permissions: z.array(z.string()).nullable(),
  versions: z.array(z.string()).nullable(),
  expires_at: z.string().nullable(),
  limits: z.record(z.string(), z.number()).nullable(),
});

export const keys = defineControl({
  "keys.list": {
    method: "GET",
    path: "/keys",
    summary: "List the emulator's keys, without their values",
    responseShape: "page",
    response: Key,
  },
  "keys.get": {
    method: "GET",
    path: "/keys/{id}",
    summary: "Show a key; for a seeded key, also show its value",
    response: Key.extend({ key: z.string().nullable() }),
  },
  "keys.create": {
    method: "POST",
    path: "/keys",
    summary: "Create a key; its value is shown only once",
    body: KeyCreate,
    response: Key.extend({ key: z.string() }),
  },
  "keys.update": {
    method: "PATCH",
    path: "/keys/{id}",
    summary: "Revoke or activate a key; change its expiry and limits",
    body: KeyUpdate,
    response: Key,
  },
  "keys.delete": {
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Delete a key",
    response: z.looseObject({ id: z.string(), deleted: z.literal(true) }),
  },
});
