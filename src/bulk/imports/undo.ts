import type { RunContext } from "../engine/context.js";
import { costsOf } from "../engine/summary.js";
import { type Original, type UndoResult, undoJournaled } from "../engine/undo-run.js";
import { BulkError } from "../errors.js";
import type { ImportAdapter } from "../group/adapter.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { undoAdapter } from "./undo-adapter.js";
import { type GroupResult, type GroupUndone, groupResult, madeGroupOf, undoGroup } from "./undo-group.js";
import { planUndo } from "./undo-plan.js";
import { undoScope } from "./undo-scope.js";

/** The results of an undo. */
export interface UndoSummary extends UndoResult, GroupResult {
  group_id: string;
  /** Number of items that the run had updated. */
  restored: number;
  /**
   * Kept: their responses were lost, and they were found by their content. `--include-matched` deletes them.
   */
  matched: number;
}

/** The user's options of an undo. */
export interface UndoOptions {
  /** Delete also items that the run may have created: found by their content after the response was lost. */
  includeMatched: boolean;
}

/**
 * Deletes what an import created and restores what it updated, unless it was changed since then.
 * @param adapterOf the adapter of the type of run; undefined for one that can't be undone
 * @throws see `undoJournaled`
 */
export async function undoRun(
  context: RunContext,
  id: string,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
  { includeMatched }: UndoOptions,
): Promise<UndoSummary> {
  return undoJournaled(context, id, (original) => {
    const adapter = checkedAdapter(original, adapterOf);
    let group: GroupUndone;
    return {
      plan: async ({ id: undoId, journal }) => {
        const scope = await undoScope(context, original, adapter, { includeMatched, ownId: undoId });
        await planUndo(context, original, journal, adapter, scope);
      },
      adapter: (journal) => undoAdapter(context, journal, adapter),
      conclude: async (journal) => {
        group = await undoGroup(context, madeGroupOf(original), journal, adapter);
      },
      summarize: (journal, run) => undoSummaryOf(journal, original, run, group),
    };
  });
}

/** @throws BulkError for a run that can't be undone */
export function checkedAdapter(
  { identity }: Original,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
): ImportAdapter {
  const adapter = adapterOf(identity);
  if (adapter !== undefined) return adapter;
  throw new BulkError("run_of_other_kind", `a run of type ${identity.kind} can't be undone`);
}

export function undoSummaryOf(
  journal: Journal,
  { id, identity, journal: original }: Original,
  run: { id: string; report: string },
  group: GroupUndone,
): UndoSummary {
  const counts = { deleted: 0, restored: 0, changed: 0, matched: 0, gone: 0, failed: 0, unknown: 0 };
  const isOutcome = (outcome: string): outcome is keyof typeof counts => Object.hasOwn(counts, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") counts.unknown += count;
    else if (isOutcome(outcome)) counts[outcome] += count;
  }
  const { deleted, restored, changed, matched, gone, failed, unknown } = counts;
  return {
    run_id: run.id,
    undone: id,
    group_id: identity.group_id,
    ...groupResult(original, group),
    deleted,
    restored,
    changed_since: changed,
    matched,
    gone,
    failed,
    unknown,
    ...costsOf(journal),
    report: run.report,
  };
}
