import type { RunContext } from "../engine/context.js";
import { awaitLateWrites } from "../engine/drive.js";
import type { Original } from "../engine/undo-run.js";
import { emptyOf, type Fields, pick } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { findIncomparableFields } from "../group/changed-fields.js";
import { readItem } from "../group/remote.js";
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { doneByTarget } from "../journal/outcome.js";
import { recordOf } from "../values.js";
import { importRun } from "./run.js";

/** The part of a run that is to be undone. */
export interface UndoScope {
  /** Things that the run may have made, found by what they hold (T5), are deleted, too. */
  includeMatched: boolean;
  /** An earlier undo of the run has taken this back already. */
  isUndone(target: string): boolean;
  /**
   * The state that the undo of a later run left of a thing, as its answer showed it, where that is what this run
   * had left: the thing is as this run made it, though its times are not.
   */
  restored(target: string, data: unknown): unknown;
}

/**
 * Looks up what the run left open, then writes down for everything it did what is to become of it. Nothing is compared
 * here: each thing is read right before it is touched (T6), and a list proves nothing (T4).
 */
export async function planUndo(
  context: RunContext,
  { journal: original, identity }: Original,
  journal: Journal,
  adapter: ImportAdapter,
  scope: UndoScope,
): Promise<void> {
  original.sentToUnknown();
  const lost = original.count("unknown");
  if (lost > 0) {
    await awaitLateWrites(context, lost);
    await importRun(context, original, adapter, identity.group_id).lookUp();
    original.step("reconciled");
  }
  // Items that are still planned are dropped.
  if (original.setting("finished_at") === undefined)
    original.setSetting("finished_at", context.machineClock.now());
  for (const name of ["file", "group_name", "profile"]) {
    journal.setSetting(name, original.setting(name) ?? null);
  }
  journal.database.transaction(() => {
    for (const item of reversals(original, adapter, scope)) journal.insert(item);
  });
  const read = async (id: string) => (await readItem(context, adapter, id))?.record;
  journal.setSetting("incomparable", await sampleFields(reversals(original, adapter, scope), read));
}

/** So many things are read beforehand. */
const sampled = 5;

/** Which fields of what the run made can't be compared with its answers: a few things tell. */
export async function sampleFields(
  items: Iterable<NewItem>,
  read: (id: string) => Promise<Fields | undefined>,
): Promise<string[]> {
  const samples: { responseData: Fields; now: Fields }[] = [];
  for (const { action, target = "", answer } of items) {
    if (action !== "delete" || answer === undefined) continue;
    const now = await read(target);
    if (now !== undefined) samples.push({ responseData: recordOf(answer), now });
    if (samples.length === sampled) break;
  }
  return findIncomparableFields(samples);
}

/** The steps that undo a run, thing by thing. */
export function* reversals(
  original: Journal,
  adapter: ImportAdapter,
  scope: UndoScope,
): Generator<NewItem, void> {
  for (const items of doneByTarget(original)) {
    const [{ target = "" }] = items;
    if (!scope.isUndone(target)) yield reversalOf(items, adapter, scope);
  }
}

/** The step that undoes everything that a run did to one thing. */
function reversalOf(items: readonly [Item, ...Item[]], adapter: ImportAdapter, scope: UndoScope): NewItem {
  const [first] = items;
  const last = items.at(-1) ?? first;
  const { number, line, target = "" } = first;
  if (first.action === "create") {
    if (recordOf(first.detail)["matched"] !== undefined && !scope.includeMatched) {
      const detail = { reason: "it was found by what it holds, and may be another user's" };
      return { number, line, state: "skipped", outcome: "matched", target, detail };
    }
    return {
      number,
      line,
      state: "planned",
      outcome: "deleted",
      action: "delete",
      target,
      // The sent value, for what the answer does not show.
      before: first.body,
      answer: scope.restored(target, last.answer) ?? last.answer,
    };
  }
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const item of items) {
    for (const [field, value] of Object.entries(recordOf(item.body))) {
      if (!(field in before)) before[field] = asBefore(recordOf(item.before), field, value);
      after[field] = value;
    }
  }
  return {
    number,
    line,
    state: "planned",
    outcome: "restored",
    action: "update",
    target,
    body: before,
    before: after,
    answer: last.answer === undefined ? undefined : pick(recordOf(last.answer), adapter.fields),
  };
}

/** A field as it was shown, `null` included; what was not shown was empty. */
function asBefore(shown: Fields, field: string, written: unknown): unknown {
  if (field in shown) return shown[field];
  return emptyOf(written);
}
