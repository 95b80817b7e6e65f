import type { snapshots } from "../../contract/control/snapshots.js";
import { isoTime } from "../kernel/clock.js";
import type { Snapshot } from "../kernel/snapshots.js";
import type { ControlHandlers } from "./handlers.js";

function show({ name, takenAt }: Snapshot) {
  return { name, taken_at: isoTime(takenAt) };
}

export const snapshotHandlers: ControlHandlers<typeof snapshots> = {
  "snapshots.list": ({ world }) => world.snapshots.list().map(show),
  "snapshots.create": {
    alone: async ({ world }, { body }) => show(await world.snapshots.take(body.name)),
  },
  "snapshots.restore": {
    alone: async ({ world }, { path }) => show(await world.snapshots.restore(path.name)),
  },
  "snapshots.delete": {
    alone: async ({ world }, { path: { name } }) => {
      await world.snapshots.delete(name);
      return { name, deleted: true };
    },
  },
};
