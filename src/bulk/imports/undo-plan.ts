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

/** The part of a run to undo. */
export interface UndoScope {
  /** Delete also items that the run may have created, found by their content (T5). */
  includeMatched: boolean;
  /** Returns whether an earlier undo of the run already reverted this item. */
  isUndone(target: string): boolean;
  /**
   * The state in which the undo of a later run left a resource, according to its response, if it equals the
   * state that this run had left: except for its times, the resource is as this run wrote it.
   */
  restored(target: string, data: unknown): unknown;
}

/**
 * Resolves the open items of the run, then journals the planned action for each of its changes. Does not
 * compare: each resource is read right before it is changed (T6), and a list proves nothing (T4).
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

/** Number of items that are read in advance. */
const sampled = 5;

/** Returns the fields of created items that can't be compared with responses, judged by a sample. */
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

/** Yields the steps that undo a run, one per resource. */
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

/** Returns the step that undoes all changes of a run to one resource. */
function reversalOf(items: readonly [Item, ...Item[]], adapter: ImportAdapter, scope: UndoScope): NewItem {
  const [first] = items;
  const last = items.at(-1) ?? first;
  const { number, line, target = "" } = first;
  if (first.action === "create") {
    if (recordOf(first.detail)["matched"] !== undefined && !scope.includeMatched) {
      const detail = { reason: "it was found by its content, and may belong to another user" };
      return { number, line, state: "skipped", outcome: "matched", target, detail };
    }
    return {
      number,
      line,
      state: "planned",
      outcome: "deleted",
      action: "delete",
      target,
      // The sent value, for fields that the response does not show.
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

/** A field as it was shown, including `null`; if it was not shown, it was empty. */
function asBefore(shown: Fields, field: string, written: unknown): unknown {
  if (field in shown) return shown[field];
  return emptyOf(written);
}
