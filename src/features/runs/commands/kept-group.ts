import { findKnownRuns } from "../../../cli/bulk/known-runs.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunInfo } from "../../../write/journal/list.js";
import type { GroupResult } from "../../../write/undo/made-group.js";

const keptReasons: Readonly<Record<string, string>> = {
  unproven: "the group's content is unknown, because the service has not listed the group yet",
  renamed: "the group was renamed",
  not_empty: "the group contains other resources",
  in_use: "an assistant uses the group, or the group is the last of its type",
};

export async function noteKeptGroup(
  session: Session,
  run: RunInfo,
  group: GroupResult | undefined,
  { isDryRun = false } = {},
): Promise<void> {
  const { group_kept = null, group_kept_because = null } = group ?? {};
  if (group_kept === null || group_kept_because === null) return;
  const runs = group_kept_because === "not_empty" ? await findRunsIntoGroup(session, run) : [];
  session.notes.note(
    `${isDryRun ? "Will keep" : "Kept"} group "${group_kept}", which the run created: ${keptReasons[group_kept_because] ?? group_kept_because}${formatRuns(runs, run)}`,
  );
}

function formatRuns(runs: readonly string[], { id }: RunInfo): string {
  if (runs.length === 0) return "";
  const [subject, object] = runs.length === 1 ? ["Run", "it"] : ["Runs", "them"];
  return `. ${subject} ${runs.join(", ")} also wrote to the group: undo ${object}, then run \`voxctl runs undo ${id}\` again.`;
}

/** Returns the IDs of other runs that wrote to this group and were not undone, newest first. */
async function findRunsIntoGroup(session: Session, run: RunInfo): Promise<string[]> {
  const { isSameService } = await import("../../../write/index.js");
  const runs = await (await findKnownRuns(session)).list();
  return runs
    .filter(({ id, kind, group, group_id, state, done, ...origin }) => {
      const isInto = run.group_id === null ? group === run.group : group_id === run.group_id;
      const isUndo = kind?.endsWith(".undo") === true;
      return (
        id !== run.id && isInto && isSameService(origin, run) && !isUndo && state !== "undone" && done !== 0
      );
    })
    .map(({ id }) => id);
}
