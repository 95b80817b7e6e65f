import type { NewItem } from "./item.js";
import type { Journal } from "./journal.js";

/** Number of items per statement: with one statement per item, it takes twice as long. */
const itemsAtOnce = 20;

/** Inserts items in their order, some by one statement. */
export interface Inserter {
  add(item: NewItem): void;
  /** Inserts those that wait: at the end, and before one of them is read again. */
  flush(): void;
}

/** Many items belong into one transaction. */
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
