import type { Known } from "../../../write/existing.js";
import { type Fields, isAlike, isSame, normalized } from "../../../write/fields.js";

/**
 * Returns the PATCH for a row: the fields that differ; undefined if none does. Entries are added to lists;
 * values that the row lacks are kept. A value that was sent before and is unchanged since the response is not
 * sent again; a value that differs only in spelling is sent once.
 */
export function changesOf(now: Fields, row: Fields, known?: Known): Fields | undefined {
  const changes: Record<string, unknown> = {};
  for (const [field, rowValue] of Object.entries(row)) {
    // An empty text has no effect, like an empty cell: a file with only a title keeps the text of its item.
    if (rowValue === "") continue;
    const isKnown =
      known !== undefined &&
      isSame(rowValue, known.input[field]) &&
      isAlike(field, now[field], known.answer[field]);
    if (isKnown) continue;
    if (!Array.isArray(rowValue)) {
      // Send a correction even if the current value equals it: the service may have normalized the earlier
      // text to it.
      const isCorrected =
        known !== undefined && field in known.input && !isSame(rowValue, known.input[field]);
      if (isCorrected || !isSame(rowValue, now[field])) changes[field] = rowValue;
      continue;
    }
    const list = united(field, now[field], rowValue);
    if (list !== undefined) changes[field] = list;
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/**
 * Returns a list with the entries of the row: an entry that differs only in spelling is replaced. Undefined
 * if it has all of them.
 */
function united(field: string, now: unknown, rowValues: readonly unknown[]): unknown[] | undefined {
  const list: unknown[] = Array.isArray(now) ? [...now] : [];
  let isChanged = false;
  for (const entry of rowValues) {
    if (list.includes(entry)) continue;
    isChanged = true;
    const form = normalized(field, entry);
    const index = list.findIndex((existing) => normalized(field, existing) === form);
    if (index >= 0) list[index] = entry;
    else list.push(entry);
  }
  return isChanged ? list : undefined;
}
