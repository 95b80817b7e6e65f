import type { RunContext } from "../engine/context.js";
import { requeue, unconfirmedResult } from "../engine/requeue.js";
import { type CreateScope, resolveUnconfirmedCreates } from "../engine/unconfirmed-creates.js";
import { isAlike, isSame } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { isIn, readGroup, readItem } from "../group/remote.js";
import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { findUnconfirmedCreates } from "../journal/unconfirmed-creates.js";
import { createExisting } from "../planning/existing.js";
import { recordOf } from "../values.js";

/**
 * Reads the results of the items of an import whose responses were lost, once none of these requests can
 * still arrive.
 * @throws if the results can't be read; the items stay unconfirmed
 */
export async function reconcile(
  context: RunContext,
  journal: Journal,
  adapter: ImportAdapter,
  groupId: string,
): Promise<void> {
  for (const item of eachIn(journal, "unknown")) {
    if (item.action === "create" || isFinal(item)) continue;
    context.signal.throwIfAborted();
    journal.record([await updateResult(context, adapter, item)], []);
  }
  await resolveUnconfirmedCreates(context, journal, groupScope(context, journal, adapter, groupId));
}

/** The group as the list that would show the lost items of a run. */
function groupScope(
  context: RunContext,
  journal: Journal,
  adapter: ImportAdapter,
  groupId: string,
): CreateScope {
  const existing = createExisting(journal.database);
  return {
    lost: () => findUnconfirmedCreates(journal, adapter.fields),
    list: () => readGroup(context, adapter, groupId),
    async read(id) {
      const item = await readItem(context, adapter, id);
      return item !== undefined && isIn(item, groupId) ? item : undefined;
    },
    unlisted: adapter.unlisted,
    hasExisted: (id) => existing.isOlder(id) || existing.known(id) !== undefined,
  };
}

/** Reads the resource itself to decide whether a change was made (T4). */
async function updateResult(context: RunContext, adapter: ImportAdapter, item: Item): Promise<Result> {
  const { number, target = "" } = item;
  const now = await readItem(context, adapter, target);
  if (now === undefined) {
    return { number, state: "rejected", outcome: "failed", detail: { reason: "it no longer exists" } };
  }
  const [body, before] = [recordOf(item.body), recordOf(item.before)];
  const fields = Object.keys(body);
  if (fields.every((field) => isAlike(field, now.record[field], body[field])))
    return { number, state: "done", target, answer: now.record };
  if (fields.every((field) => isSame(now.record[field], before[field]))) return requeue(item);
  return unconfirmedResult(item, "another user has changed it since then");
}
