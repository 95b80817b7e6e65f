import { openRunById } from "../engine/resume.js";
import type { RunContext } from "../engine/run.js";
import { costsOf } from "../engine/summary.js";
import { checkUndoable } from "../engine/undo.js";
import { withUndo } from "../engine/undo-run.js";
import { withAbout } from "../journal/about.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { comparePlan } from "./compare.js";
import type { Inventory } from "./inventory.js";
import { newItemsOf, refreshItems } from "./items.js";
import { settleLost } from "./settle.js";
import { deletePlanned, nameOf } from "./undo-execute.js";
import { planReversals, type Reversal, readForUndo } from "./undo-plan.js";

/** What became of what a provisioning made. */
export interface ProvisioningUndo {
  run_id: string;
  /** The run that was undone. */
  undone: string;
  deleted: number;
  /** Left alone: somebody changed them since, or uses them. */
  changed_since: number;
  /** Licenses whose MSP stays. */
  kept: number;
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
 * Deletes the organizations that a provisioning made, where they are as it made them; licenses go with their MSP.
 * Journaled like the run itself: when it is interrupted, the next call goes on.
 * @throws BulkError before anything was sent; the signal's reason, or a ClientError, when it can be gone on with
 */
export async function undoProvisioning(context: RunContext, id: string): Promise<ProvisioningUndo> {
  const { journal: original, identity } = await openRunById(context, id);
  try {
    checkUndoable(context, id, { journal: original, identity });
    const earlier = await settleOriginal(context, original);
    return await withUndo(
      context,
      { id, journal: original, identity },
      (undo) =>
        withAbout(context.folder, undo, async () => {
          await planUndo(context, original, undo.journal, earlier);
          await deletePlanned(context, undo);
        }),
      ({ id: undoId, journal }, _, report) => ({
        run_id: undoId,
        undone: id,
        ...totalsOf(journal),
        ...costsOf(journal),
        report,
      }),
    );
  } finally {
    original.close();
  }
}

/** What `undoProvisioning` would do, thing by thing; nothing is sent or kept. */
export async function foreseeProvisioningUndo(context: RunContext, id: string): Promise<Reversal[]> {
  const { journal, identity } = await openRunById(context, id);
  try {
    checkUndoable(context, id, { journal, identity });
    const { plan, inventory } = await readForUndo(journal, context);
    return planReversals(journal, plan, inventory);
  } finally {
    journal.close();
  }
}

/** Finds out what became of the requests that the run left open. What it had still planned is not to be done any more. */
async function settleOriginal(context: RunContext, original: Journal): Promise<Inventory | undefined> {
  let seen: Inventory | undefined;
  original.sentToUnknown();
  const lost = original.count("unknown");
  if (lost > 0) {
    await settleLost(context, lost);
    const { plan, inventory } = await readForUndo(original, context);
    seen = inventory;
    const { msps } = comparePlan(plan, inventory);
    const idOf = (externalId: string) => inventory.organizations.get(externalId)?.id;
    const lostNumbers = new Set(original.inState("unknown", 0, lost).map(({ number }) => number));
    refreshItems(
      original,
      newItemsOf(msps, idOf).filter(({ number }) => lostNumbers.has(number)),
    );
  }
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
  return seen;
}

/** Decides what is to become of everything; of an undo that goes on, anew about what was not sent yet. */
async function planUndo(
  context: RunContext,
  original: Journal,
  journal: Journal,
  earlier: Inventory | undefined,
): Promise<void> {
  const { machineClock, listener } = context;
  journal.sentToUnknown();
  const lost = journal.count("unknown");
  if (lost > 0) await settleLost(context, lost);
  const { plan, inventory } = await readForUndo(original, context, earlier);
  const reversals = planReversals(original, plan, inventory);
  const isNew = journal.setting("planned_at") === undefined;
  journal.database.transaction(() => {
    for (const reversal of reversals) {
      if (isNew) journal.insert(newItemOf(reversal));
      else refreshReversal(journal, reversal, reversals);
    }
    if (!isNew) return;
    for (const name of ["file", "profile"]) journal.setSetting(name, original.setting(name) ?? null);
    journal.setSetting("planned_at", machineClock.now());
  });
  if (isNew) journal.step("planned");
  const done = journal.count("done") + journal.count("rejected");
  listener.sending({ requests: done + journal.count("planned"), done });
}

function newItemOf({ item, id, outcome, reason }: Reversal): NewItem {
  const { number, line, body } = item;
  return {
    number,
    line,
    state: outcome === "deleted" ? "planned" : "settled",
    outcome,
    action: "delete",
    target: id,
    body,
    detail: { ...nameOf(item), ...(reason === undefined ? {} : { reason }) },
  };
}

function refreshReversal(journal: Journal, reversal: Reversal, reversals: readonly Reversal[]): void {
  const { number } = reversal.item;
  const { kind, msp } = reversal.planned;
  const state = journal.item(number)?.state;
  if (state !== "planned" && state !== "unknown") return;
  const { outcome, detail } = newItemOf(reversal);
  // A license goes with its MSP, which stands before it.
  const isDeleted = (externalId: string) =>
    reversals.some(
      ({ item, planned }) =>
        planned.kind === "msp" &&
        planned.externalId === externalId &&
        journal.item(item.number)?.state === "done",
    );
  if (outcome === "deleted") {
    if (state === "unknown") journal.apply({ number, state: "planned" });
  } else if (outcome === "gone" && (state === "unknown" || (kind === "license" && isDeleted(msp)))) {
    journal.apply({ number, state: "done", target: reversal.id });
  } else {
    journal.apply({ number, state: "settled", outcome, detail });
  }
}

function totalsOf(journal: Journal) {
  const totals = { deleted: 0, changed_since: 0, kept: 0, gone: 0, failed: 0, unknown: 0 };
  for (const { state, outcome, count } of journal.counts()) {
    const name = state === "unknown" || state === "sent" ? "unknown" : (names[outcome] ?? "failed");
    totals[name] += count;
  }
  return totals;
}

const names: Readonly<Record<string, "deleted" | "changed_since" | "kept" | "gone" | "failed">> = {
  deleted: "deleted",
  changed: "changed_since",
  kept: "kept",
  gone: "gone",
  failed: "failed",
};
