import * as z from "zod";
import { defineControl } from "./operation.js";

/** Name of a snapshot. `.` and `..` are invalid, because they have a special meaning in a URL. */
const SnapshotName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/^\.{1,2}$|[\p{Cc}\p{Cs}]/u.test(name), {
    message: "must not be . or .., or contain control characters",
    params: { rule: "emulator.snapshots" },
  });

const Snapshot = z.looseObject({ name: z.string(), taken_at: z.string() });

/** A value in a table. `$bytes` is base64. The values of `$secret` and `$headers` are not encrypted. */
const Cell = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.strictObject({ $bytes: z.string() }),
  z.strictObject({ $secret: z.string() }),
  z.strictObject({ $headers: z.record(z.string(), z.string()) }),
]);

const SnapshotFile = z.strictObject({
  voxctl_snapshot: z.literal(1),
  taken_at: z.iso.datetime(),
  secrets: z.boolean(),
  tables: z.record(z.string(), z.array(z.record(z.string(), Cell))),
});

export const snapshots = defineControl({
  "snapshots.list": {
    method: "GET",
    path: "/snapshots",
    summary: "List the emulator's snapshots",
    responseShape: "page",
    response: Snapshot,
  },
  "snapshots.create": {
    method: "POST",
    path: "/snapshots",
    summary: "Create a snapshot of the emulator state",
    body: z.strictObject({ name: SnapshotName.optional() }),
    response: Snapshot,
  },
  "snapshots.restore": {
    method: "POST",
    path: "/snapshots/{name}/restore",
    summary: "Restore the emulator state and clock from a snapshot",
    success: 200,
    response: Snapshot,
  },
  "snapshots.export": {
    method: "GET",
    path: "/snapshots/{name}",
    summary: "Export a snapshot",
    query: z.object({ secrets: z.enum(["true", "false"]).optional() }),
    response: SnapshotFile,
  },
  "snapshots.import": {
    method: "PUT",
    path: "/snapshots/{name}",
    summary: "Import a snapshot that this or another emulator exported",
    body: SnapshotFile,
    response: Snapshot,
  },
  "snapshots.delete": {
    method: "DELETE",
    path: "/snapshots/{name}",
    summary: "Delete a snapshot without changing the emulator state",
    response: z.looseObject({ name: z.string(), deleted: z.literal(true) }),
  },
});

export type SnapshotFile = z.output<typeof SnapshotFile>;
