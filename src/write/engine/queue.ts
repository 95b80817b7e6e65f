import { type Item, type ItemState, isFinal } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import type { Batch, RunAdapter } from "./adapter.js";

const portion = 200;
/** The queue reads no more items while more than this number are waiting. */
const mostWaiting = 2_000;

/** Yields planned items in input order. */
export interface Queue {
  /**
   * Returns the next item that can be sent, with the items that share its request.
   * @param mayProve called if the next item is the last item or the last create; returns whether this item
   *   may be sent now
   */
  next(mayProve: () => boolean): Batch | undefined;
  /** Puts back items that were not sent, so that they come next. */
  putBack(batch: Batch): void;
  /** Must be called when a request is finished. An item that must be sent again waits for its turn. */
  release(item: Item, state: ItemState): void;
  separate(batch: readonly Item[]): void;
}

/** Only one item per resource is in flight at a time. */
export function createQueue(
  journal: Journal,
  {
    batchKey,
    needs,
    inOrder,
    keepsCanary,
  }: Pick<RunAdapter, "batchKey" | "needs" | "inOrder" | "keepsCanary">,
  settle: () => void,
): Queue {
  let waiting: Item[] = [];
  let after = 0;
  let exhausted = false;
  const busy = new Set<string>();
  const separated = new Set<number>();
  const fill = () => {
    const more = journal.planned(after, portion);
    after = more.at(-1)?.number ?? after;
    exhausted = more.length === 0;
    waiting.push(...more);
  };
  /** Items that are known to be finished. */
  const through = new Set<number>();
  /**
   * Items that are known to be unfinished. Cached until an item finishes, because many items may need the
   * same item.
   */
  const open = new Set<number>();
  const isThrough = (number: number) => {
    if (through.has(number)) return true;
    if (open.has(number)) return false;
    const item = journal.item(number);
    const isOpen = item !== undefined && !isFinal(item);
    (isOpen ? open : through).add(number);
    return !isOpen;
  };
  /** Number of the first item that may be unfinished. */
  let front = 1;
  const mayGo = (item: Item) => {
    if (item.target !== undefined && busy.has(item.target)) return false;
    if (!inOrder) return needs(item, settle).every(isThrough);
    while (front < item.number && isThrough(front)) front += 1;
    return front === item.number;
  };
  const keyOf = (item: Item) => (separated.has(item.number) ? undefined : batchKey?.(item));
  const takeAlike = (key: string): Item[] => {
    const alike = waiting.filter((item) => keyOf(item) === key);
    if (alike.length > 0) waiting = waiting.filter((item) => !alike.includes(item));
    return alike;
  };
  const hasCreateAfter = () =>
    !exhausted &&
    journal.database
      .prepare("SELECT 1 FROM items WHERE state = 'planned' AND action = 'create' AND number > ? LIMIT 1")
      .get(after) !== undefined;
  /**
   * Returns whether the next item is the last item or the last create. Such an item must wait for all other
   * requests, because only a resource that is created last can prove that a list is up to date.
   */
  const isCanary = () => {
    while (!exhausted && waiting.length < 2) fill();
    if (waiting.length < 2) return waiting.length === 1;
    const firstCreate = waiting.findIndex(({ action }) => action === "create");
    const lastCreate = waiting.findLastIndex(({ action }) => action === "create");
    return firstCreate === lastCreate && waiting.find(mayGo)?.action === "create" && !hasCreateAfter();
  };
  return {
    next(mayProve) {
      if (keepsCanary && isCanary() && !mayProve()) return undefined;
      for (;;) {
        const index = waiting.findIndex(mayGo);
        const [first] = index < 0 ? [] : waiting.splice(index, 1);
        if (first !== undefined) {
          const key = batchKey === undefined ? undefined : keyOf(first);
          const batch: Batch = key === undefined ? [first] : [first, ...takeAlike(key)];
          for (const { target } of batch) if (target !== undefined) busy.add(target);
          return batch;
        }
        if (exhausted || waiting.length > mostWaiting) return undefined;
        fill();
      }
    },
    putBack(batch) {
      for (const { target } of batch) if (target !== undefined) busy.delete(target);
      waiting.unshift(...batch);
    },
    release(item, state) {
      open.clear();
      // Keep an unconfirmed item's resource blocked. Otherwise, its next request would be sent without a
      // check.
      if (item.target !== undefined && state !== "unknown") busy.delete(item.target);
      if (state === "done" || state === "rejected" || state === "skipped") through.add(item.number);
      if (state !== "planned") return;
      waiting.push(item);
      waiting.sort((left, right) => left.number - right.number);
    },
    separate(batch) {
      for (const { number } of batch) separated.add(number);
    },
  };
}
