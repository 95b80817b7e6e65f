import * as z from "zod";
import { defineControl } from "./operation.js";

/** As a part of an address: one of dots alone means another address. */
const SnapshotName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/^\.{1,2}$|[\p{Cc}\p{Cs}]/u.test(name), {
    message: "must be neither . nor .., and hold no control characters",
    params: { rule: "emulator.snapshots" },
  });

/** And the world's time when it was taken. */
const Snapshot = z.looseObject({ name: z.string(), taken_at: z.string() });

export const snapshots = defineControl({
  "snapshots.list": {
    method: "GET",
    path: "/snapshots",
    summary: "List the world's snapshots",
    answer: "page",
    response: Snapshot,
  },
  "snapshots.create": {
    method: "POST",
    path: "/snapshots",
    summary: "Keep the world as it is now",
    body: z.strictObject({ name: SnapshotName.optional() }),
    response: Snapshot,
  },
  "snapshots.restore": {
    method: "POST",
    path: "/snapshots/{name}/restore",
    summary: "Make the world what it was, its clock included",
    success: 200,
    response: Snapshot,
  },
  "snapshots.delete": {
    method: "DELETE",
    path: "/snapshots/{name}",
    summary: "Delete a snapshot; the world stays as it is",
    response: z.looseObject({ name: z.string(), deleted: z.literal(true) }),
  },
});
