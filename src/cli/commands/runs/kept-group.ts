import type { UndoSummary } from "../../../bulk/imports/undo.js";
import type { Session } from "../../session/session.js";

const keptReasons: Readonly<Record<string, string>> = {
  unproven: "what was in it was not found, and no list ever showed it",
  renamed: "it has another name now",
  not_empty: "there are other things in it",
  in_use: "an assistant uses it",
};

/** Says why a group stays that the run had made. */
export function noteKeptGroup(
  { notes }: Session,
  {
    group_kept = null,
    group_kept_because = null,
  }: Partial<Pick<UndoSummary, "group_kept" | "group_kept_because">>,
): void {
  if (group_kept === null || group_kept_because === null) return;
  notes.note(
    `the group "${group_kept}", which the run had made, stays: ${keptReasons[group_kept_because] ?? group_kept_because}`,
  );
}
