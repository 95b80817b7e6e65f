import * as z from "zod";
import { defineControl } from "./operation.js";

/** A snapshot's name is a segment of a path, and `.` or `..` would change the path. */
const SnapshotName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/^\.{1,2}$|[\p{Cc}\p{Cs}]/u.test(name), {
    message: "must not be . or .., or contain control characters",
    params: { rule: "emulator.snapshots" },
  });

/** The name of a snapshot, and the emulator's time when it was created. */
const Snapshot = z.looseObject({ name: z.string(), taken_at: z.string() });

/** A cell of a table. Bytes are base64; a value that is encrypted in the database is plain text, if secrets are requested. */
const Cell = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.strictObject({ $bytes: z.string() }),
  z.strictObject({ $secret: z.string() }),
  z.strictObject({ $headers: z.record(z.string(), z.string()) }),
]);

/** A snapshot as a file for sharing. */
const SnapshotFile = z.strictObject({
  voxctl_snapshot: z.literal(1),
  taken_at: z.iso.datetime(),
  /** Whether to include API keys and values that are encrypted in the database. */
  secrets: z.boolean(),
  /** The rows of each table. */
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
    summary: "Import a snapshot that was exported by any emulator",
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
