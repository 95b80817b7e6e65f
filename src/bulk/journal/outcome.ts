import { type Item, itemOf } from "./item.js";
import type { Journal } from "./journal.js";

/** What was done, by what it was done to: everything about one thing in its order. */
export function* doneByTarget({ database }: Journal): Generator<[Item, ...Item[]], void> {
  let target = "";
  for (;;) {
    const next = database
      .prepare("SELECT min(target) AS target FROM items WHERE target > ? AND state = 'done'")
      .get(target)?.["target"];
    if (typeof next !== "string") return;
    target = next;
    const [first, ...others] = database
      .prepare("SELECT * FROM items WHERE target = ? AND state = 'done' ORDER BY number")
      .all(target)
      .map(itemOf);
    if (first) yield [first, ...others];
  }
}

/** Items for the report, in the order of the input: all but those that simply came to be. */
export function* reportable({ database }: Journal): Generator<Item, void> {
  let after = 0;
  for (;;) {
    const rows = database
      .prepare(
        "SELECT * FROM items WHERE number > ? AND NOT (outcome IN ('created', 'deleted', 'restored') AND state IN ('done', 'planned')) ORDER BY number LIMIT 500",
      )
      .all(after)
      .map(itemOf);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}
