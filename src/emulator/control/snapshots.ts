import { parseTime } from "../../base/time-text.js";
import type { snapshots } from "../../contract/control/snapshots.js";
import { isoTime } from "../kernel/clock.js";
import type { Snapshot } from "../kernel/snapshots.js";
import type { ControlHandlers } from "./handlers.js";
import { databaseOf, fileOf } from "./snapshot-files.js";

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
  "snapshots.export": {
    alone: async ({ world }, { path, query }) =>
      fileOf(world, await world.snapshots.read(path.name), { secrets: query.secrets === "true" }),
  },
  "snapshots.import": {
    alone: async ({ world }, { path: { name }, body }) => {
      const database = await databaseOf(world, body);
      try {
        return show(await world.snapshots.add({ name, takenAt: parseTime(body.taken_at) }, database));
      } finally {
        database.close();
      }
    },
  },
  "snapshots.delete": {
    alone: async ({ world }, { path: { name } }) => {
      await world.snapshots.delete(name);
      return { name, deleted: true };
    },
  },
};
