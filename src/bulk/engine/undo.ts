import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { BulkError } from "../errors.js";
import type { RunIdentity } from "../journal/identity.js";
import { Journal } from "../journal/journal.js";
import { openUndo, undoIdOf } from "../journal/runs.js";
import { recordOf } from "../values.js";
import type { RunAdapter } from "./adapter.js";
import type { RunContext } from "./context.js";
import { type ImportAdapter, undoRunOf } from "./import-adapter.js";
import { type PlannedRun, runJournaled } from "./lifecycle.js";
import { checkTarget, openRunById } from "./open.js";
import { costsOf } from "./summary.js";
import { foreseeGroup, type GroupUndone, type KeptBecause, undoGroup } from "./undo-group.js";
import { compareWithNow, planUndo, valueNow } from "./undo-plan.js";

/** What became of what a run did. */
export interface UndoSummary {
  run_id: string;
  /** The run that was undone. */
  undone: string;
  group_id: string;
  /** The run had made the group, and nothing else was in it. */
  group_deleted: boolean;
  /** The name of a group that the run had made, and that stays. */
  group_kept: string | null;
  /** Why: it has another name, other things are in it, or an assistant uses it. */
  group_kept_because: KeptBecause | null;
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

/** A run that is to be undone, its journal open. */
export interface Original {
  id: string;
  journal: Journal;
  identity: RunIdentity;
}

/** What undoing one type of run consists of. */
export interface UndoTask<S> {
  plan(run: PlannedRun): Promise<void>;
  adapter(journal: Journal): RunAdapter;
  conclude?(): Promise<void>;
  summarize(journal: Journal, run: { id: string; report: string }): S;
}

/**
 * Takes back what a run did, as a run of its own: when it is interrupted, the next call goes on.
 * @param taskOf called when the run can be undone here
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when it can be gone on with
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
      finished: () => journal.setSetting("undone_at", machineClock.now()),
    });
  });
}

/**
 * Runs `work` on a run that may be undone.
 * @throws BulkError for a run that was elsewhere, or is undone
 */
export async function withOriginal<T>(
  context: RunContext,
  id: string,
  work: (original: Original) => Promise<T>,
): Promise<T> {
  const { journal, identity } = await openRunById(context, id);
  try {
    checkTarget(context, identity, journal.setting("profile"));
    if (journal.setting("undone_at") !== undefined) {
      throw new BulkError("run_finished", `the run ${id} is undone already`);
    }
    return await work({ id, journal, identity });
  } finally {
    journal.close();
  }
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
): Promise<UndoSummary> {
  return undoJournaled(context, id, (original) => {
    const adapter = checkedAdapter(original, adapterOf);
    let group: GroupUndone;
    return {
      plan: ({ journal }) => planUndo(context, original, journal, adapter),
      adapter: (journal) => undoRunOf(adapter, context, journal),
      conclude: async () => {
        group = await undoGroup(context, original, adapter);
      },
      summarize: (journal, { report }) => summaryOf(journal, original, group, report),
    };
  });
}

/** What a run's undo would do. */
export interface UndoForeseen {
  summary: Omit<UndoSummary, "run_id" | "report">;
  /** The first of the things, those that would be left alone before the others, with their fields as they are now. */
  first: Readonly<Record<string, unknown>>[];
}

const foreseenShown = 20;

/**
 * What `undoRun` would do: everything is read and compared, nothing is sent or kept. What the run left open is not
 * looked up, and stands under `unknown`.
 * @throws BulkError as `undoRun`
 */
export async function foreseeUndo(
  context: RunContext,
  id: string,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
): Promise<UndoForeseen> {
  return withOriginal(context, id, async (original) => {
    const adapter = checkedAdapter(original, adapterOf);
    const temporary = await mkdtemp(join(context.folder, "dry-run-"));
    const undo = await Journal.open(join(temporary, "run.sqlite"), { create: true, durable: false });
    try {
      const { journal } = original;
      await compareWithNow(context, journal, undo, adapter);
      const { deleted } = summaryOf(undo, original, undefined, "");
      const group = await foreseeGroup(context, original, adapter, deleted);
      const { run_id: _, report: __, ...summary } = summaryOf(undo, original, group, "");
      const items = [...undo.inState("skipped", 0, foreseenShown), ...undo.planned(0, foreseenShown)];
      return {
        summary: {
          ...summary,
          unknown: journal.count("unknown") + journal.count("sent"),
          requests: undo.count("planned") + (group === "deleted" ? 1 : 0),
        },
        first: items
          .slice(0, foreseenShown)
          .map(({ target = "", outcome, line }) => ({ ...recordOf(valueNow(undo, target)), line, outcome })),
      };
    } finally {
      undo.close();
      await rm(temporary, { recursive: true, force: true });
    }
  });
}

/** @throws BulkError for a run that can't be undone */
function checkedAdapter(
  { identity }: Original,
  adapterOf: (identity: RunIdentity) => ImportAdapter | undefined,
): ImportAdapter {
  const adapter = adapterOf(identity);
  if (adapter !== undefined) return adapter;
  throw new BulkError("run_of_other_kind", `a run of the kind ${identity.kind} can't be undone`);
}

function summaryOf(
  journal: Journal,
  { id, identity, journal: original }: Original,
  group: GroupUndone,
  report: string,
): UndoSummary {
  const counts = { deleted: 0, restored: 0, changed: 0, gone: 0, failed: 0, unknown: 0 };
  const isOutcome = (outcome: string): outcome is keyof typeof counts => Object.hasOwn(counts, outcome);
  for (const { state, outcome, count } of journal.counts()) {
    if (state === "unknown" || state === "sent") counts.unknown += count;
    else if (isOutcome(outcome)) counts[outcome] += count;
  }
  const { deleted, restored, changed, gone, failed, unknown } = counts;
  const because = group === undefined || group === "deleted" ? null : group;
  return {
    run_id: undoIdOf(id),
    undone: id,
    group_id: identity.group_id,
    group_deleted: group === "deleted",
    group_kept: because === null ? null : String(original.setting("group_name")),
    group_kept_because: because,
    deleted,
    restored,
    changed_since: changed,
    gone,
    failed,
    unknown,
    ...costsOf(journal),
    report,
  };
}
