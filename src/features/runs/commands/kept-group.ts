import type { Session } from "../../../cli/session/session.js";
import type { GroupResult } from "../../../write/undo/made-group.js";

const keptReasons: Readonly<Record<string, string>> = {
  unproven: "no list has ever shown it, so its content is unknown",
  renamed: "it was renamed",
  not_empty: "it contains other resources",
  in_use: "an assistant uses it",
};

/** Reports why a group that the run created was kept. */
export function noteKeptGroup({ notes }: Session, group: GroupResult | undefined): void {
  const { group_kept = null, group_kept_because = null } = group ?? {};
  if (group_kept === null || group_kept_because === null) return;
  notes.note(
    `Kept group "${group_kept}", which the run created: ${keptReasons[group_kept_because] ?? group_kept_because}`,
  );
}
