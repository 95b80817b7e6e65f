import type { Known } from "../../../write/existing.js";
import { type Fields, isAlike, isSame, normalized } from "../../../write/fields.js";

/**
 * Keeps list entries that the row lacks. Omits a value that an earlier run sent if the service's value hasn't
 * changed since then, because the service may have normalized it.
 */
export function changesOf(now: Fields, row: Fields, known?: Known): Fields | undefined {
  const changes: Record<string, unknown> = {};
  for (const [field, rowValue] of Object.entries(row)) {
    // Like an empty cell, an empty text doesn't clear a value. For example, if a knowledge file contains only
    // a title, the item keeps its text.
    if (rowValue === "") continue;
    const isKnown =
      known !== undefined &&
      isSame(rowValue, known.input[field]) &&
      isAlike(field, now[field], known.answer[field]);
    if (isKnown) continue;
    if (!Array.isArray(rowValue)) {
      // Send a value that the user corrected since the last run, even if the value equals the current one.
      // The current value may be the service's normalized form of the earlier value.
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
 * Adds the row's entries to a list, and replaces entries that differ only in spelling. Returns undefined if
 * nothing changes.
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
