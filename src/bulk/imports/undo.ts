import type { RunContext } from "../engine/context.js";
import { costsOf } from "../engine/summary.js";
import { type Original, type UndoResult, undoJournaled } from "../engine/undo-run.js";
import { BulkError } from "../errors.js";
import type { ImportAdapter } from "../group/adapter.js";
import { readGroup } from "../group/remote.js";
import type { RunIdentity } from "../journal/identity.js";
import type { Journal } from "../journal/journal.js";
import { undoAdapter } from "./undo-adapter.js";
import { type GroupUndone, type KeptBecause, undoGroup } from "./undo-group.js";
import { planUndo } from "./undo-plan.js";
import { undoScope } from "./undo-scope.js";

/** The results of an undo. */
export interface UndoSummary extends UndoResult {
  group_id: string;
  /** The run had made the group, and nothing else was in it. */
  group_deleted: boolean;
  /** The name of a group that the run had made, and that stays. */
  group_kept: string | null;
  /** Why: it has another name, other things are in it, or an assistant uses it. */
  group_kept_because: KeptBecause | null;
  /** Things that the run had updated. */
  restored: number;
  /**
   * Left alone: their answers were lost, and they were found by what they hold. `--include-matched` takes them back.
   */
  matched: number;
}

/** The user's options of an undo. */
export interface UndoOptions {
  /** Delete things, too, that the run may have made: found by what they hold after an answer was lost. */
  includeMatched: boolean;
}

/**
 * Deletes what an import created and restores what it updated, where it was not changed since.
 * @param adapterOf what to know of the run's type; undefined for one that can't be undone
 * @throws as `undoJournaled`
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
        const isProven = await isGoneProven(context, original, journal, adapter);
        group = isProven ? await undoGroup(context, original, journal, adapter) : unprovenGroup(original);
      },
      summarize: (journal, run) => undoSummaryOf(journal, original, run, group),
    };
  });
}

/**
 * T6: where every get answered 404 and no list ever showed one of the things, they may as well be too new to be shown.
 * The journal says so of them then.
 */
async function isGoneProven(
  context: RunContext,
  { journal: original, identity }: Original,
  journal: Journal,
  adapter: ImportAdapter,
): Promise<boolean> {
  if (context.settleMilliseconds === 0 || original.setting("listed") === true) return true;
  const answered = journal.counts().filter(({ state }) => state !== "skipped");
  if (answered.length === 0 || answered.some(({ outcome }) => outcome !== "gone")) return true;
  for await (const { id } of readGroup(context, adapter, identity.group_id)) {
    if (journal.isGone(id)) return true;
  }
  journal.doubt("gone", "it was not found, and no list ever showed it");
  return false;
}

function unprovenGroup({ journal }: Original): GroupUndone {
  return journal.setting("group_made") === true ? "unproven" : undefined;
}

/** @throws BulkError for a run that can't be undone */
export function checkedAdapter(
  { identity }: Original,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
): ImportAdapter {
  const adapter = adapterOf(identity);
  if (adapter !== undefined) return adapter;
  throw new BulkError("run_of_other_kind", `a run of the kind ${identity.kind} can't be undone`);
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
  const because = group === undefined || group === "deleted" ? null : group;
  return {
    run_id: run.id,
    undone: id,
    group_id: identity.group_id,
    group_deleted: group === "deleted",
    group_kept: because === null ? null : String(original.setting("group_name")),
    group_kept_because: because,
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
