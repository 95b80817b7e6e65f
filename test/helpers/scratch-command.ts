import { groupRunFlags } from "../../src/cli/bulk/bulk-flags.js";
import { sealFlags } from "../../src/cli/bulk/plan-file.js";
import { withRefusals } from "../../src/cli/bulk/refusals.js";
import type { Command } from "../../src/cli/session/command.js";
import type { Flag } from "../../src/cli/session/input.js";
import { runOnGroups, showChanged } from "../../src/features/sync/commands/groups-run.js";
import { changeGroups, toResultLine } from "../../src/features/sync/group-changes.js";
import { updateStep } from "../../src/write/plan/steps.js";
import type { RemoteItem } from "../../src/write/remote.js";

const flags: readonly Flag[] = [
  { name: "group", value: "name|id", description: "Change only this group", default: "all" },
  { name: "dry-run", description: "Show the changes without making them" },
  ...sealFlags,
  { name: "report", value: "file", description: "Results file (NDJSON)" },
  ...groupRunFlags,
];

interface Change extends RemoteItem {
  groupId: string;
  changes: { last_name: string };
}

/**
 * A command that changes last names to uppercase. It decides on the changes, and the write engine makes them.
 */
export const capitalize: Command = {
  name: "capitalize",
  summary: "Write last names in capitals",
  flags,
  examples: [{ command: "voxctl capitalize --dry-run" }],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const isLooking = input.on("dry-run") === true;
      const run = { verb: "capitalize", flags, isLooking };
      const summary = await runOnGroups(session, input, run, ({ context, task, confirm }) =>
        changeGroups<Change[]>(context, task, {
          name: "contacts capitalize",
          judge: (groupId, items) =>
            items.flatMap((item) => {
              const last_name = String(item.record["last_name"]).toUpperCase();
              return last_name === item.record["last_name"]
                ? []
                : [{ ...item, groupId, changes: { last_name } }];
            }),
          whole: async (groups) => [...groups],
          listResultLines: (groups) =>
            groups.flat().map((item) => toResultLine("updated", item.groupId, item, item.changes)),
          async confirm(groups) {
            const count = groups.flat().length;
            if (count > 0) await confirm(`Change ${count} contacts?`);
            return count > 0;
          },
          count: (groups) => ({ found: groups.flat().length }),
          *steps(groups) {
            for (const [index, { id, groupId, record, changes }] of groups.flat().entries())
              yield updateStep(
                "contacts",
                id,
                changes,
                { group_id: groupId, ...record },
                { step: index + 1 },
              );
          },
        }),
      );
      const { run_id, plan_id, rows: contacts, outcomes, report } = summary;
      const view = { run_id, plan_id, contacts, ...outcomes, report };
      await showChanged(session, summary, {
        view,
        isLooking: false,
        write: "update",
        noun: "contact",
        done: "changed",
      });
    }),
};
