import * as z from "zod";
import { isoTime } from "../kernel/clock.js";
import type { Snapshot } from "../kernel/snapshots.js";
import { type ControlCall, controlCall } from "./call.js";

function show({ name, takenAt }: Snapshot) {
  return { name, taken_at: isoTime(takenAt) };
}

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

export const snapshotCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/snapshots",
    list: true,
    run: ({ world }) => world.snapshots.list().map(show),
  }),
  controlCall({
    method: "POST",
    path: "/snapshots",
    body: z.strictObject({ name: SnapshotName.optional() }),
    success: 201,
    alone: async ({ world }, { body }) => show(await world.snapshots.take(body.name)),
  }),
  controlCall({
    method: "POST",
    path: "/snapshots/{name}/restore",
    alone: async ({ world }, { id }) => show(await world.snapshots.restore(id)),
  }),
  controlCall({
    method: "DELETE",
    path: "/snapshots/{name}",
    alone: async ({ world }, { id }) => {
      await world.snapshots.delete(id);
      return { name: id, deleted: true };
    },
  }),
];
