import { parseTime } from "../../base/time-text.js";
import type { snapshots } from "../../contract/control/snapshots.js";
import { isoTime } from "../kernel/clock.js";
import type { Snapshot } from "../kernel/snapshots.js";
import type { ControlHandlers } from "./handlers.js";
import { createSnapshotDatabase, toSnapshotFile } from "./snapshot-files.js";

function show({ name, takenAt }: Snapshot) {
  return { name, taken_at: isoTime(takenAt) };
}

export const snapshotHandlers: ControlHandlers<typeof snapshots> = {
  "snapshots.list": ({ state }) => state.snapshots.list().map(show),
  "snapshots.create": {
    alone: async ({ state }, { body }) => show(await state.snapshots.take(body.name)),
  },
  "snapshots.restore": {
    alone: async ({ state }, { path }) => show(await state.snapshots.restore(path.name)),
  },
  "snapshots.export": {
    alone: async ({ state }, { path, query }) =>
      toSnapshotFile(state, await state.snapshots.read(path.name), { secrets: query.secrets === "true" }),
  },
  "snapshots.import": {
    alone: async ({ state }, { path: { name }, body }) => {
      const database = await createSnapshotDatabase(state, body);
      try {
        return show(await state.snapshots.add({ name, takenAt: parseTime(body.taken_at) }, database));
      } finally {
        database.close();
      }
    },
  },
  "snapshots.delete": {
    alone: async ({ state }, { path: { name } }) => {
      await state.snapshots.delete(name);
      return { name, deleted: true };
    },
  },
};
