import type { NewItem } from "./item.js";
import type { Journal } from "./journal.js";

/** Number of items per INSERT. Single inserts take twice as long. */
const itemsAtOnce = 20;

export interface Inserter {
  add(item: NewItem): void;
  /** Inserts the waiting items. Must be called at the end, and before any of them is read. */
  flush(): void;
}

/** To insert many items, create the inserter within a transaction. */
export function inserterInto(journal: Pick<Journal, "insert">): Inserter {
  const waiting: NewItem[] = [];
  const flush = () => {
    if (waiting.length > 0) journal.insert(...waiting.splice(0));
  };
  return {
    add(item) {
      waiting.push(item);
      if (waiting.length === itemsAtOnce) flush();
    },
    flush,
  };
}
