import type { UndoSummary } from "../../../write/undo/undo.js";

/** Returns the fields that `-o json` prints for an undo, which depend on the type of the undone run. */
export function toUndoView(summary: UndoSummary) {
  const { run_id, undone, type, group_id, group, outcomes } = summary;
  const { requests, rate_limited, seconds, report } = summary;
  const { deleted = 0, restored = 0, changed_since = 0, gone = 0, failed = 0, unknown = 0 } = outcomes;
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
    ...(type === "provisioning" ? { recreated, kept, with_msp } : { matched, ...ofPlan }),
    ...{ requests, rate_limited, seconds, report },
  };
}
