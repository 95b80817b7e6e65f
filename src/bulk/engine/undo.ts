import { BulkError } from "../errors.js";
import { reportPathOf } from "../journal/folder.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { reportable } from "../journal/outcome.js";
import { openUndo, undoIdOf } from "../journal/runs.js";
import { openReport } from "./report.js";
import { checkPlace, openRunById } from "./resume.js";
import { type Reversible, reversal } from "./reversal.js";
import { drive, type RunContext, withJournal } from "./run.js";
import { costsOf } from "./summary.js";
import { type GroupUndone, undoGroup } from "./undo-group.js";
import { planUndo } from "./undo-plan.js";

/** What became of what a run did. */
export interface UndoSummary {
  run_id: string;
  /** The run that was undone. */
  undone: string;
  group_id: string;
  /** The run had made the group, and nothing else was in it. */
  group_deleted: boolean;
  /** The name of a group that the run had made, and that stays because something is in it, or uses it. */
  group_kept: string | null;
  /** Things that the run had created. */
  deleted: number;
  /** Things that the run had updated. */
  restored: number;
  /** Left alone: somebody changed them since. */
  changed_since: number;
  /** No longer there. */
  gone: number;
  failed: number;
  unknown: number;
  requests: number;
  rate_limited: number;
  seconds: number;
  report: string;
}

/**
 * Deletes what a run created and restores what it updated, where nobody has changed it since. Journaled like the run
 * itself: when it is interrupted, the next call goes on.
 * @param kindOf what to know of the run's kind; undefined for one that can't be undone
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when it can be gone on with
 */
export async function undoRun(
  context: RunContext,
  id: string,
  kindOf: (kind: string, groupId: string) => Reversible | undefined,
): Promise<UndoSummary> {
  const { folder, machineClock, inProcess, onStep } = context;
  const { journal, identity } = await openRunById(context, id);
  try {
    const kind = kindOf(identity.kind, identity.group_id);
    if (!kind) throw new BulkError("run_of_other_kind", `a run of the kind ${identity.kind} can't be undone`);
    checkPlace(context, identity, journal.setting("profile"));
    if (journal.setting("undone_at") !== undefined) {
      throw new BulkError("run_finished", `the run ${id} is undone already`);
    }
    const undo = await openUndo({
      folder,
      id,
      identity,
      now: machineClock.now(),
      durable: !inProcess,
      onStep,
    });
    return await withJournal(context, undo, async (addCosts) => {
      const reportPath = reportPathOf(folder, undo.id);
      const report = await openReport(reportPath, { clock: context.machineClock, signal: context.signal });
      try {
        if (!undo.resumed) await planUndo(context, journal, undo.journal, kind);
        await drive(context, undo.journal, reversal(context.client, kind), undo);
        const group = await undoGroup(context, journal, kind, identity.group_id);
        addCosts();
        await report.write(reportable(undo.journal));
        undo.journal.setSetting("finished_at", machineClock.now());
        journal.setSetting("undone_at", machineClock.now());
        undo.journal.step("finished");
        return summaryOf(undo.journal, { id, identity, group, report: reportPath });
      } finally {
        await report.close();
      }
    });
  } finally {
    journal.close();
  }
}

function summaryOf(
  journal: Journal,
  run: { id: string; identity: RunIdentity; group: GroupUndone; report: string },
): UndoSummary {
  const counts = { deleted: 0, restored: 0, changed: 0, gone: 0, failed: 0, unknown: 0 };
  const isOutcome = (outcome: string): outcome is keyof typeof counts => Object.hasOwn(counts, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") counts.unknown += count;
    else if (isOutcome(outcome)) counts[outcome] += count;
  }
  const { deleted, restored, changed, gone, failed, unknown } = counts;
  return {
    run_id: undoIdOf(run.id),
    undone: run.id,
    group_id: run.identity.group_id,
    group_deleted: run.group === "deleted",
    group_kept: run.group === "kept" ? String(journal.setting("group_name")) : null,
    deleted,
    restored,
    changed_since: changed,
    gone,
    failed,
    unknown,
    ...costsOf(journal),
    report: run.report,
  };
}
