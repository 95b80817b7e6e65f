import type { NewItem } from "./item.js";
import type { Journal } from "./journal.js";

/** Number of items per statement: with one statement per item, it takes twice as long. */
const itemsAtOnce = 20;

/** Inserts items in order, several per statement. */
export interface Inserter {
  add(item: NewItem): void;
  /** Inserts the waiting items: at the end, and before one of them is read again. */
  flush(): void;
}

/** Insert many items in one transaction. */
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
