import type { RunContext } from "../engine/context.js";
import { awaitLateWrites } from "../engine/drive.js";
import type { PlannedRun } from "../engine/lifecycle.js";
import { costsOf } from "../engine/summary.js";
import {
  countUndone,
  type Original,
  previewLimit,
  type UndoPreview,
  type UndoResult,
  undoJournaled,
  withOriginal,
  withUndo,
} from "../engine/undo-run.js";
import { undosOf } from "../journal/runs.js";
import type { Inventory } from "./inventory.js";
import { refreshItems } from "./subject/judge.js";
import { newItemOf, undoAdapter, undoneNumber } from "./undo-adapter.js";
import { type IsUndone, planReversals, type Reversal, readForUndo } from "./undo-plan.js";

/** The results of an undo of a provisioning. */
export interface ProvisioningUndo extends UndoResult {
  /** Licenses whose MSP is kept. */
  kept: number;
  /** Licenses whose MSP was deleted: it can't be read whether the service keeps them. */
  with_msp: number;
  /** Licenses with their former product or state, and organizations with their former license. */
  restored: number;
  /**
   * Organizations and licenses that the run had deleted and that were created again, the organizations empty,
   * with new ids.
   */
  recreated: number;
}

/**
 * Deletes the organizations that a provisioning created if they are unchanged; their licenses are deleted
 * with their MSP. Restores changed values, and creates deleted organizations again.
 * @throws see `undoJournaled`
 */
export async function undoProvisioning(context: RunContext, id: string): Promise<ProvisioningUndo> {
  let seen: Inventory | undefined;
  return undoJournaled(context, id, (original) => ({
    plan: async (run) => {
      seen = await planUndo(context, original, run);
    },
    adapter: (journal) => undoAdapter(context, original.journal, journal, seen),
    summarize(journal, run) {
      const { matched: _, not_undoable: __, ...totals } = countUndone(journal);
      return { run_id: run.id, undone: id, ...totals, ...costsOf(journal), report: run.report };
    },
  }));
}

/** Previews `undoProvisioning`; sends and stores nothing. */
export async function previewProvisioningUndo(context: RunContext, id: string): Promise<UndoPreview> {
  return withOriginal(context, id, async ({ journal }) => {
    const isUndone = await undoneIn(context.folder, await undosOf(context.folder, id));
    const inventory = await readForUndo(journal, context, isUndone);
    const reversals = planReversals(journal, inventory, isUndone);
    const first = reversals
      .toSorted((left, right) => Number(left.outcome === "deleted") - Number(right.outcome === "deleted"))
      .slice(0, previewLimit)
      .map(({ item, planned, outcome, reason }) => ({
        line: item.line,
        name: planned.externalId,
        // A change that the API can't undo has a separate reason.
        outcome: outcome === "kept" && item.action === "update" ? `stays: ${reason}` : outcome,
      }));
    return { summary: previewSummaryOf(id, reversals), first, count: reversals.length };
  });
}

function previewSummaryOf(undone: string, reversals: readonly Reversal[]) {
  const count = (name: Reversal["outcome"]) => reversals.filter(({ outcome }) => outcome === name).length;
  return {
    undone,
    deleted: count("deleted"),
    restored: count("restored"),
    recreated: count("recreated"),
    changed_since: count("changed"),
    kept: count("kept"),
    with_msp: count("with_msp"),
    gone: count("gone"),
    requests: reversals.filter(isRequest).length,
  };
}

/** Licenses that are created again share a request, which is not counted. */
function isRequest({ outcome, planned: { type } }: Reversal): boolean {
  return outcome === "restored" || (type !== "license" && (outcome === "deleted" || outcome === "recreated"));
}

/** Resolves the items that the run left open, then decides about every item that it wrote. */
async function planUndo(
  context: RunContext,
  { id, journal: original }: Original,
  { id: undoId, journal }: PlannedRun,
): Promise<Inventory> {
  const { folder } = context;
  const earlier = (await undosOf(folder, id)).filter((undo) => undo !== undoId);
  const isUndone = await undoneIn(folder, earlier);
  original.sentToUnknown();
  const lost = new Set(original.inState("unknown", 0, Number.MAX_SAFE_INTEGER).map(({ number }) => number));
  if (lost.size > 0) await awaitLateWrites(context, lost.size);
  const inventory = await readForUndo(original, context, isUndone);
  if (lost.size > 0) {
    refreshItems(original, inventory, (number) => lost.has(number));
  }
  // Items that are still planned are dropped.
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
  for (const name of ["file", "profile"]) journal.setSetting(name, original.setting(name) ?? null);
  journal.database.transaction(() => {
    for (const [index, reversal] of planReversals(original, inventory, isUndone).entries())
      journal.insert(newItemOf(reversal, index + 1));
  });
  return inventory;
}

/** The items that these undos have reverted. */
async function undoneIn(folder: string, undos: readonly string[]): Promise<IsUndone> {
  const undone = new Set<number>();
  for (const undo of undos) {
    await withUndo(folder, undo, (journal) => {
      for (const item of journal.inState("done", 0, Number.MAX_SAFE_INTEGER)) undone.add(undoneNumber(item));
    });
  }
  return ({ number }) => undone.has(number);
}
