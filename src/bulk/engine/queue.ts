import type { Item, Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";

export interface Queue {
  /** The next item that nothing holds back. */
  next(): Item | undefined;
  putBack(item: Item): void;
  /** It is no longer under way. */
  release(item: Item, state: Result["state"]): void;
}

/** Planned items in order, read in portions; a thing is worked on by one item at a time. */
export function createQueue(journal: Journal): Queue {
  const waiting: Item[] = [];
  let after = 0;
  let exhausted = false;
  const busy = new Set<string>();
  const fill = () => {
    if (exhausted) return;
    const more = journal.planned(after, 200);
    after = more.at(-1)?.number ?? after;
    exhausted = more.length === 0;
    waiting.push(...more);
  };
  return {
    next() {
      for (;;) {
        const index = waiting.findIndex((item) => item.target === undefined || !busy.has(item.target));
        if (index >= 0) {
          const [item] = waiting.splice(index, 1);
          if (item?.target !== undefined) busy.add(item.target);
          return item;
        }
        // Held back ones stay; they are few.
        if (exhausted || waiting.length > 2_000) return undefined;
        fill();
      }
    },
    putBack(item) {
      if (item.target !== undefined) busy.delete(item.target);
      waiting.unshift(item);
    },
    release(item, state) {
      // Nobody knows what the thing is like: what comes next would be sent blindly.
      if (item.target !== undefined && state !== "unknown") busy.delete(item.target);
      if (state !== "planned") return;
      waiting.push(item);
      waiting.sort((one, other) => one.number - other.number);
    },
  };
}
