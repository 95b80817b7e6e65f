/** Distinguishes the values of a run from those of other users, because a response may contain both. */
import { type Fields, isAlike, pick } from "./fields.js";
import { determinedFields } from "./input-row.js";
import type { Item } from "./journal/item.js";
import type { Journal } from "./journal/journal.js";
import { countItems, doneUpdates, stateBefore } from "./journal/outcome.js";
import { recordOf } from "./values.js";

/**
 * Returns the response without the row's fields that another user may have set. A later run would treat the
 * other user's values as values that the service normalized.
 * @param item finished item, with the expected values in `before`
 * @param row the row's fields, as the journal contains them
 */
export function attributableAnswer(journal: Journal, item: Item, row: Fields): Fields {
  const [answer, body] = [recordOf(item.answer), recordOf(item.body)];
  // A create's response contains only this run's values. After a lost response, the resource was read later
  // and may contain another user's changes.
  const isWhole =
    item.state === "skipped" || (item.action === "create" && recordOf(item.detail)["matched"] === undefined);
  const seen = isWhole ? answer : stateBefore(journal, item);
  const determined = new Set(determinedFields(row));
  const fields = Object.keys(answer).filter(
    (field) =>
      !(field in row) ||
      field in body ||
      (determined.has(field) && isAlike(field, seen[field], answer[field])),
  );
  return pick(answer, fields);
}

/**
 * Finds other users' values in the responses to updates, and journals them for the results.
 * @param expectedOf returns all values that an update expected, including unsent fields
 */
export function noteForeignChanges(journal: Journal, expectedOf: (item: Item) => Fields): void {
  for (const item of doneUpdates(journal)) {
    const [body, answer] = [recordOf(item.body), recordOf(item.answer)];
    const expected = expectedOf(item);
    const state = stateBefore(journal, { ...item, before: expected });
    const changed_elsewhere = Object.keys(expected)
      .filter((field) => !(field in body) && field in answer)
      .filter((field) => !isAlike(field, state[field], answer[field]))
      .map((field) => ({ field, expected: state[field], found: answer[field] }));
    if (changed_elsewhere.length === 0) continue;
    journal.amend(item.number, item.body, { ...recordOf(item.detail), changed_elsewhere });
  }
}

/** Counts resources that another user changed between this run's comparison and its update. */
export function countForeignChanges(journal: Journal): number {
  return countItems(journal, "state = 'done' AND json_extract(detail, '$.changed_elsewhere') IS NOT NULL");
}
