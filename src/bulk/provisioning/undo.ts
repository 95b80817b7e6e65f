import type { RunAdapter } from "../engine/adapter.js";
import type { RunContext } from "../engine/context.js";
import { awaitLateWrites } from "../engine/drive.js";
import { failureDetail } from "../engine/judgement.js";
import type { PlannedRun } from "../engine/lifecycle.js";
import { resend } from "../engine/requeue.js";
import { costsOf } from "../engine/summary.js";
import { type Original, type UndoResult, undoJournaled, undoneBy, withOriginal } from "../engine/undo-run.js";
import { type Item, isFinal, type NewItem, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { undosOf } from "../journal/runs.js";
import { comparePlan } from "./compare.js";
import { type Inventory, idsIn } from "./inventory.js";
import { newItemsOf, planItemOf, refreshItems } from "./items.js";
import { keptReason, planReversals, type Reversal, readForUndo } from "./undo-plan.js";

/** The results of an undo of a provisioning. */
export interface ProvisioningUndo extends UndoResult {
  /** Licenses whose MSP stays. */
  kept: number;
  /** Licenses whose MSP is gone: whether the service keeps them can't be read any more. */
  with_msp: number;
}

/**
 * Deletes the organizations that a provisioning made, where they are as it made them; licenses go with their MSP.
 * @throws as `undoJournaled`
 */
export async function undoProvisioning(context: RunContext, id: string): Promise<ProvisioningUndo> {
  let seen: Inventory | undefined;
  return undoJournaled(context, id, (original) => ({
    plan: async (run) => {
      seen = await planUndo(context, original, run);
    },
    adapter: (journal) => undoAdapter(context, original.journal, journal, seen),
    summarize: (journal, run) => ({
      run_id: run.id,
      undone: id,
      ...totalsOf(journal),
      ...costsOf(journal),
      report: run.report,
    }),
  }));
}

/** The foreseen result of `undoProvisioning`, thing by thing; nothing is sent or kept. */
export async function foreseeProvisioningUndo(context: RunContext, id: string): Promise<Reversal[]> {
  return withOriginal(context, id, async ({ journal }) => {
    const isUndone = await undoneBy(context.folder, await undosOf(context.folder, id));
    const { plan, inventory } = await readForUndo(journal, context, isUndone);
    return planReversals(journal, plan, inventory, isUndone);
  });
}

/** Looks up what the run left open, then decides for everything it made what is to become of it. */
async function planUndo(
  context: RunContext,
  { id, journal: original }: Original,
  { id: undoId, journal }: PlannedRun,
): Promise<Inventory> {
  const { folder } = context;
  const earlier = (await undosOf(folder, id)).filter((undo) => undo !== undoId);
  const isUndone = await undoneBy(folder, earlier);
  original.sentToUnknown();
  const lost = new Set(original.inState("unknown", 0, Number.MAX_SAFE_INTEGER).map(({ number }) => number));
  if (lost.size > 0) await awaitLateWrites(context, lost.size);
  const { plan, inventory } = await readForUndo(original, context, isUndone);
  if (lost.size > 0) {
    const now = newItemsOf(comparePlan(plan, inventory).msps, idsIn(inventory));
    refreshItems(
      original,
      now.filter(({ number }) => lost.has(number)),
    );
  }
  // Items that are still planned are dropped.
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
  for (const name of ["file", "profile"]) journal.setSetting(name, original.setting(name) ?? null);
  journal.database.transaction(() => {
    for (const reversal of planReversals(original, plan, inventory, isUndone))
      journal.insert(newItemOf(reversal));
  });
  return inventory;
}

function newItemOf({ item, id, outcome, reason }: Reversal): NewItem {
  const { number, line, body } = item;
  return {
    number,
    line,
    // A license is decided by what becomes of its MSP.
    state: outcome === "deleted" || outcome === "with_msp" ? "planned" : "skipped",
    outcome,
    action: "delete",
    target: id,
    body,
    detail: { ...nameOf(item), ...(reason === undefined ? {} : { reason }) },
  };
}

/** The meaning of a refusal for the organization. */
const refused: Readonly<Record<number, string>> = { 404: "gone", 409: "changed" };

/** Customers go before their MSP, and licenses with it (v2.delete.msp). */
function undoAdapter(
  context: RunContext,
  original: Journal,
  journal: Journal,
  seen: Inventory | undefined,
): RunAdapter {
  const items = [...itemsOf(journal)].map((item) => ({ number: item.number, planned: planItemOf(item) }));
  const mspOf = new Map(
    items.flatMap(({ number, planned }) => (planned.kind === "msp" ? [[planned.msp, number] as const] : [])),
  );
  const customersOf = (msp: string) =>
    items.filter(({ planned }) => planned.kind === "customer" && planned.msp === msp);
  const decided = (item: Item): Result | undefined => {
    const planned = planItemOf(item);
    const msp = planned.kind === "license" ? journal.item(mspOf.get(planned.msp) ?? 0) : undefined;
    if (planned.kind !== "license" || (msp !== undefined && !isFinal(msp))) return undefined;
    const { number } = item;
    const isGone = msp === undefined || msp.state === "done" || msp.outcome === "gone";
    return isGone
      ? { number, state: "skipped", outcome: "with_msp", detail: nameOf(item) }
      : { number, state: "skipped", outcome: "kept", detail: { ...nameOf(item), reason: keptReason } };
  };
  return {
    paces: "orgs.delete",
    width: 1,
    plannedRequests: () =>
      items.filter(
        ({ number, planned }) => planned.kind !== "license" && journal.item(number)?.state === "planned",
      ).length,
    needs(item) {
      const { kind, msp } = planItemOf(item);
      if (kind === "msp") return customersOf(msp).map(({ number }) => number);
      return kind === "license" ? [mspOf.get(msp) ?? 0] : [];
    },
    decided,
    request: ([{ target = "" }]) => ({
      operation: "orgs.delete",
      input: { path: { organizationId: target } },
    }),
    answered: ({ number, target = "" }) => ({ number, state: "done", target }),
    refused(item, error) {
      const { number, target = "", attempts } = item;
      // An organization that is gone was deleted by an earlier request whose answer was lost.
      if (error.status === 404 && attempts > 0) return { number, state: "done", target };
      const outcome = refused[error.status ?? 0] ?? "failed";
      return { number, state: "rejected", outcome, detail: { ...nameOf(item), ...failureDetail(error) } };
    },
    async lookUp() {
      // T4: a list proves nothing; the same sent again does.
      for (const item of journal.inState("unknown", 0, Number.MAX_SAFE_INTEGER)) {
        if (!isFinal(item)) journal.record([resend(item)], []);
      }
    },
    async compareAgain() {
      // Deletions of this undo itself are not reported.
      const isUndone = (target: string) => journal.isGone(target);
      const { plan, inventory } = await readForUndo(original, context, isUndone, seen);
      for (const reversal of planReversals(original, plan, inventory, isUndone)) {
        const { number } = reversal.item;
        const item = journal.item(number);
        // The fate of a license is decided by its MSP; that of an earlier request, by the answer to the next one.
        const isOpen = item?.state === "planned" && item.attempts === 0;
        if (!isOpen || reversal.planned.kind === "license") continue;
        const { outcome, detail } = newItemOf(reversal);
        if (outcome !== "deleted") journal.record([{ number, state: "skipped", outcome, detail }], []);
      }
    },
  };
}

/** An undo's items: some of its run's numbers. */
function* itemsOf(journal: Journal): Generator<Item, void> {
  for (const state of ["planned", "sent", "unknown", "done", "rejected", "skipped"] as const) {
    yield* journal.inState(state, 0, Number.MAX_SAFE_INTEGER);
  }
}

/** The report tells what a deletion was about. */
function nameOf(item: Item): { kind: string; external_id: string } {
  const { kind, externalId } = planItemOf(item);
  return { kind, external_id: externalId };
}

function totalsOf(journal: Journal) {
  const totals = { deleted: 0, changed_since: 0, kept: 0, with_msp: 0, gone: 0, failed: 0, unknown: 0 };
  for (const { state, outcome, count } of journal.counts()) {
    const name = state === "unknown" || state === "sent" ? "unknown" : (names[outcome] ?? "failed");
    totals[name] += count;
  }
  return totals;
}

const names: Readonly<Record<string, "deleted" | "changed_since" | "kept" | "with_msp" | "gone" | "failed">> =
  {
    deleted: "deleted",
    changed: "changed_since",
    kept: "kept",
    with_msp: "with_msp",
    gone: "gone",
    failed: "failed",
  };
