import type { Session } from "../../../cli/session/session.js";
import type { UndoPreview } from "../../../write/engine/undo-run.js";

const keptReasons: Readonly<Record<string, string>> = {
  unproven: "no list has ever shown it, so its content is unknown",
  renamed: "it was renamed",
  not_empty: "it contains other resources",
  in_use: "an assistant uses it",
};

/** Reports why a group that the run created was kept. */
export function noteKeptGroup(
  { notes }: Session,
  { group_kept = null, group_kept_because = null }: UndoPreview["summary"],
): void {
  if (group_kept === null || group_kept_because === null) return;
  notes.note(
    `Kept group "${group_kept}", which the run created: ${keptReasons[group_kept_because] ?? group_kept_because}`,
  );
}
