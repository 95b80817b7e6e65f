import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import { type Item, itemOf } from "./item.js";
import type { Journal } from "./journal.js";

/**
 * Yields resources that the run wrote, last item first. Includes unchanged resources that earlier runs wrote.
 */
export function* remembered({ database }: Journal): Generator<Item, void> {
  const rows = database
    .prepare(
      "SELECT * FROM items WHERE target IS NOT NULL AND (state = 'done' OR state = 'skipped' AND answer IS NOT NULL) ORDER BY number DESC",
    )
    .iterate();
  for (const row of rows) yield itemOf(row);
}

/** An item without its largest columns. The results file doesn't need them. */
export type ResultItem = Omit<Item, "input" | "answer">;

/**
 * Yields items for the results file. Omits items that created a resource, and items of an undo that deleted or
 * restored a resource, unless there is more to report.
 */
export function* listResultItems({ database }: Journal): Generator<ResultItem, void> {
  yield* inPages(0, (after) =>
    database
      .prepare(
        "SELECT number, line, state, outcome, action, target, body, before, detail, attempts, sent_tick, ended_tick FROM items WHERE number > ? AND NOT ((outcome IN ('created', 'restored') OR outcome = 'deleted' AND json_extract(detail, '$.undoes') IS NOT NULL) AND state IN ('done', 'planned') AND json_extract(detail, '$.matched') IS NULL AND json_extract(detail, '$.dropped') IS NULL AND json_extract(detail, '$.stored_otherwise') IS NULL AND json_extract(detail, '$.doubled') IS NULL AND json_extract(detail, '$.left') IS NULL) ORDER BY number LIMIT 500",
      )
      .all(after)
      .map(itemOf),
  );
}

/** Items may change state during the iteration. */
export function* eachIn(journal: Journal, state: Item["state"]): Generator<Item, void> {
  yield* inPages(0, (after) => journal.inState(state, after, 200));
}

export function* eachPlanned(
  { database }: Journal,
  action: NonNullable<Item["action"]>,
): Generator<Item, void> {
  yield* inPages(0, (after) =>
    database
      .prepare(
        "SELECT * FROM items WHERE state = 'planned' AND action = ? AND number > ? ORDER BY number LIMIT 200",
      )
      .all(action, after)
      .map(itemOf),
  );
}

/** @param condition SQL condition on the items' columns */
export function countItems({ database }: Journal, condition: string): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM items WHERE ${condition}`).get()?.["n"] ?? 0);
}

/** An item may change after it was yielded. */
export function doneUpdates({ database }: Journal): Generator<Item, void> {
  return inPages(0, (after) =>
    database
      .prepare(
        "SELECT * FROM items WHERE state = 'done' AND action = 'update' AND number > ? ORDER BY number LIMIT 200",
      )
      .all(after)
      .map(itemOf),
  );
}

/**
 * Returns the expected state of an item's resource right before the request. It combines the state that was
 * read with the run's last response for the resource.
 */
export function stateBefore(journal: Journal, item: Item): Fields {
  const [last] = doneBefore(journal, item);
  return { ...recordOf(item.before), ...recordOf(last?.answer) };
}

export function* doneBefore({ database }: Journal, { number, target }: Item): Generator<Item, void> {
  const rows = database
    .prepare("SELECT * FROM items WHERE target = ? AND number < ? AND state = 'done' ORDER BY number DESC")
    .iterate(target ?? "", number);
  for (const row of rows) yield itemOf(row);
}

export function itemsIn(journal: Journal): Generator<Item, void> {
  return inPages(0, (after) => journal.after(after, 200));
}

/**
 * Reads items page by page to limit memory use. An item may change after it was yielded.
 * @param read reads the next page
 */
export function* inPages<T extends Pick<Item, "number">>(
  start: number,
  read: (from: number) => T[],
): Generator<T, void> {
  for (let from = start; ; ) {
    const items = read(from);
    yield* items;
    const last = items.at(-1);
    if (last === undefined) return;
    from = last.number;
  }
}
