import { type Fields, isAlike, isSame, normalized } from "../fields.js";

/** The input and the answer of an earlier write of a thing. */
export interface Known {
  readonly id: string;
  readonly input: Fields;
  readonly answer: Fields;
}

/**
 * The PATCH that a row makes of a thing: the fields that differ, undefined where none does. Entries of lists are added;
 * what a row says nothing of stays. T3: what was sent before and is still as it was answered is not sent again; what is
 * only written otherwise is sent once.
 */
export function changesOf(now: Fields, row: Fields, known?: Known): Fields | undefined {
  const changes: Record<string, unknown> = {};
  for (const [field, rowValue] of Object.entries(row)) {
    // An empty text says nothing, as an empty cell: a file of a title alone takes no item its text.
    if (rowValue === "") continue;
    const isKnown =
      known !== undefined &&
      isSame(rowValue, known.input[field]) &&
      isAlike(field, now[field], known.answer[field]);
    if (isKnown) continue;
    if (!Array.isArray(rowValue)) {
      // A correction is sent even where it is there already: the service may have written the earlier text so.
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
 * A list with a row's entries: one that is only written otherwise gives way to the row's. Undefined where it has all.
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
