import { formatCount } from "../../../base/text.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withWorkingFolder } from "../../../cli/bulk/store.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";
import { parseDuration } from "../../../cli/session/globals.js";
import { requireStore } from "./connect.js";

const defaultAge = "30d";

export const pruneStore: Command = {
  name: "prune",
  summary: "Delete old finished runs from a store",
  description:
    "A deleted run can't be undone, but `voxctl runs export` still lists its writes. Whenever a run ends, voxctl deletes runs that finished more than 30 days ago; use this command to delete runs earlier. Requires the store key.",
  flags: [
    {
      name: "older-than",
      value: "duration",
      description: "Minimum time since a run finished",
      default: defaultAge,
    },
  ],
  confirms: true,
  confirmsLocally: true,
  examples: [{ command: "voxctl store prune --older-than 7d --yes" }],
  run: (session, input) =>
    withRefusals(async () => {
      const settings = await requireStore(session);
      const duration = input.text("older-than") ?? defaultAge;
      const milliseconds = parseDuration(duration, "--older-than");
      const { removeFinishedFleets, removeFinishedRuns } = await import("../../../store/index.js");
      await confirmLocally(session, `Delete all runs that finished more than ${duration} ago?`);
      const deleted = await withWorkingFolder(settings, async (store, folder) => {
        let total = await removeFinishedFleets(store.connection, milliseconds);
        for (let count = -1; count !== 0; total += count)
          count = await removeFinishedRuns(store, folder, { milliseconds, most: 100 });
        return total;
      });
      await session.output.item({ deleted });
      session.notes.note(`Deleted ${formatCount(deleted, "run")} from the store.`);
    }),
};
