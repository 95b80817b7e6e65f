import type { Fields } from "../fields.js";
import { pathOf } from "../journal/folder.js";
import type { RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { openUndo } from "../journal/runs.js";
import type { RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { type PlannedRun, runJournaled } from "./lifecycle.js";
import { checkTarget, openRunById } from "./open.js";

/** A run to undo, with its journal open. */
export interface Original {
  id: string;
  journal: Journal;
  identity: RunIdentity;
}

/** The part of the results that every type of undo has. */
export interface UndoResult {
  run_id: string;
  /** The run that was undone. */
  undone: string;
  /** Number of items that it had created. */
  deleted: number;
  /** Kept, because another user has changed or uses them. */
  changed_since: number;
  /** Already deleted. */
  gone: number;
  failed: number;
  unknown: number;
  requests: number;
  rate_limited: number;
  seconds: number;
  report: string;
}

/** The preview of an undo. */
export interface UndoPreview {
  summary: Pick<UndoResult, "undone" | "deleted" | "requests"> & {
    restored: number;
    recreated?: number;
    unknown?: number;
    group_deleted?: boolean;
    group_kept?: string | null;
    group_kept_because?: string | null;
  };
  /** The first items, with their current fields; items that will be kept come first. */
  first: Fields[];
  /** Number of items. */
  count: number;
}

/** Number of items in `UndoPreview.first`. */
export const previewLimit = 20;

/** The parts of an undo that differ by the type of its run. */
export interface UndoTask<S> {
  plan(run: PlannedRun): Promise<void>;
  adapter(journal: Journal): RunAdapter;
  conclude?(journal: Journal): Promise<void>;
  summarize(journal: Journal, run: { id: string; report: string }): S;
}

/**
 * Undoes a run as a separate run: if it is interrupted, the next call resumes it; if it is finished, it can
 * be repeated for the remaining items.
 * @param taskOf called if the run can be undone here
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, if it can be resumed
 */
export async function undoJournaled<S>(
  context: RunContext,
  id: string,
  taskOf: (original: Original) => UndoTask<S>,
): Promise<S> {
  const { folder, machineClock, inProcess, onStep } = context;
  return withOriginal(context, id, async (original) => {
    const { journal, identity } = original;
    const task = taskOf(original);
    const now = machineClock.now();
    return runJournaled(context, {
      ...task,
      open: () => openUndo({ folder, id, identity, now, durable: !inProcess, onStep }),
      finished: (undo) => {
        if (undo.count("unknown") === 0) journal.setSetting("undone_at", machineClock.now());
      },
    });
  });
}

/**
 * Runs `work` on a run that can be undone.
 * @throws BulkError for a run with another target
 */
export async function withOriginal<T>(
  context: RunContext,
  id: string,
  work: (original: Original) => Promise<T>,
): Promise<T> {
  const { journal, identity } = await openRunById(context, id);
  try {
    checkTarget(context, identity, journal.setting("profile"));
    return await work({ id, journal, identity });
  } finally {
    journal.close();
  }
}

/** Counts the items of an undo by outcome. */
export function countUndone(journal: Journal) {
  const counts = {
    deleted: 0,
    restored: 0,
    recreated: 0,
    changed_since: 0,
    matched: 0,
    not_undoable: 0,
    kept: 0,
    with_msp: 0,
    gone: 0,
    failed: 0,
    unknown: 0,
  };
  const isCounted = (outcome: string): outcome is keyof typeof counts => Object.hasOwn(counts, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") counts.unknown += count;
    else if (outcome === "changed") counts.changed_since += count;
    else counts[isCounted(outcome) ? outcome : "failed"] += count;
  }
  return counts;
}

/** Reads another undo's journal. */
export async function withUndo(folder: string, id: string, work: (journal: Journal) => void): Promise<void> {
  const journal = await Journal.open(pathOf(folder, id), { create: false });
  try {
    work(journal);
  } finally {
    journal.close();
  }
}
