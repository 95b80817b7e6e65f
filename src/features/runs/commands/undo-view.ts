import { formatCount, formatThousands, inflect } from "../../../base/text.js";
import type { UndoSummary } from "../../../write/undo/undo.js";

/** The fields depend on the type of the run that was undone. */
export function toUndoView(summary: UndoSummary) {
  const { run_id, undone, type, group_id, group, outcomes } = summary;
  const { requests, rate_limited, seconds, report } = summary;
  const { deleted = 0, restored = 0, changed_since = 0, gone = 0, failed = 0, unknown = 0 } = outcomes;
  const { partly = 0 } = outcomes;
  const {
    recreated = 0,
    kept = 0,
    with_msp = 0,
    matched = 0,
    not_undoable = 0,
    references_mended = 0,
  } = outcomes;
  const ofPlan = group_id === null ? { recreated, not_undoable, references_mended } : {};
  return {
    ...{ run_id, undone },
    ...(group_id === null ? {} : { group_id }),
    ...group,
    ...{ deleted, restored, changed_since, gone, failed, unknown },
    ...(partly === 0 ? {} : { partly }),
    ...(type === "provisioning" ? { recreated, kept, with_msp } : { matched, ...ofPlan }),
    ...{ requests, rate_limited, seconds, report },
  };
}

export function isNothingToUndo({ outcomes, group }: UndoSummary): boolean {
  const { deleted = 0, restored = 0, recreated = 0, unknown = 0 } = outcomes;
  return deleted + restored + recreated + unknown === 0 && group?.group_deleted !== true;
}

/** Returns text such as "Deleted 3 resources and the group, restored 1 in 2 s." */
export function formatUndone(summary: UndoSummary, duration: string): string {
  const { outcomes, group } = summary;
  const { recreated = 0, failed = 0 } = outcomes;
  if (isNothingToUndo(summary) && failed === 0) return "Nothing to undo. No changes were made.";
  const parts = [
    `Deleted ${group?.group_deleted === true ? `${formatDeleted(outcomes["deleted"])}the group` : count(outcomes["deleted"])}`,
    `restored ${count(outcomes["restored"])}`,
    ...(recreated > 0
      ? [`recreated ${count(recreated)} with ${inflect(recreated, "a new ID", "new IDs")}`]
      : []),
  ];
  return `${parts.join(", ")} in ${duration}.`;
}

const keptReasons = {
  changed_since: "kept because of later changes",
  kept: "kept for other reasons",
  with_msp: "expected to be deleted with their MSP",
  matched: "kept because they were matched only by content",
  not_undoable: "can't be undone",
  gone: "already deleted",
  failed: "can't be restored",
} as const;

/** Returns text such as "3 resources and the group will be deleted, 1 restored, 2 kept because of later changes". */
export function formatUndoPreview(summary: UndoSummary): string {
  const { outcomes, group } = summary;
  const { deleted = 0, recreated = 0 } = outcomes;
  const changes = [
    `${group?.group_deleted === true ? `${formatDeleted(deleted)}the group` : formatCount(deleted, "resource")} will be deleted`,
    `${count(outcomes["restored"])} restored`,
    ...(recreated > 0 ? [`${count(recreated)} recreated`] : []),
  ];
  return [
    ...(isNothingToUndo(summary) ? ["nothing to undo"] : changes),
    ...Object.entries(keptReasons).flatMap(([name, reason]) =>
      (outcomes[name] ?? 0) > 0 ? [`${count(outcomes[name])} ${reason}`] : [],
    ),
  ].join(", ");
}

function formatDeleted(deleted = 0): string {
  return deleted === 0 ? "" : `${formatCount(deleted, "resource")} and `;
}

const count = (number = 0) => formatThousands(number);
