import { counted } from "../../base/text.js";
import { usageError } from "../errors/errors.js";
import type { Fields } from "../output/fields.js";
import { isFields } from "../output/fields.js";
import type { Flag, Input } from "../session/input.js";
import type { Notes } from "../terminal/notes.js";

/** A filter that the service does not have: rows are compared as they are read. */
export interface RowFilter {
  flag: Flag;
  /**
   * @returns the judgement of a row; undefined where the row does not say it
   * @throws usage error (2) for a value that can't be meant
   */
  read(value: string): (row: Fields) => boolean | undefined;
}

/** The filters that were given, as one judgement; undefined without any. @throws usage error (2) */
export function readRowFilters(
  filters: readonly RowFilter[],
  input: Input,
): ((row: Fields) => boolean | undefined) | undefined {
  const given = filters.flatMap(({ flag, read }) => {
    const value = input.text(flag.name);
    if (value === undefined) return [];
    if (value.trim() === "") throw usageError(`--${flag.name}: is empty`);
    return [read(value.trim())];
  });
  if (given.length === 0) return undefined;
  return (row) => {
    const judged = given.map((judge) => judge(row));
    if (judged.includes(false)) return false;
    return judged.includes(undefined) ? undefined : true;
  };
}

/** The result of reading a filtered list. */
export interface Reading {
  read: number;
  matched: number;
  /** Rows that did not say what was asked for (T10). */
  unsaid: number;
  stopped: boolean;
}

/** The rows that fit, at most `limit` of them; counts what it reads. */
export async function* matchingRows(
  rows: AsyncIterable<unknown>,
  judge: (row: Fields) => boolean | undefined,
  limit: number | undefined,
  reading: Reading,
): AsyncGenerator<unknown, void> {
  for await (const row of rows) {
    reading.read += 1;
    const fits = isFields(row) ? judge(row) : undefined;
    if (fits === undefined) reading.unsaid += 1;
    if (fits !== true) continue;
    reading.matched += 1;
    yield row;
    if (reading.matched !== limit) continue;
    reading.stopped = true;
    return;
  }
}

/** Says how much was read for it: a filter that costs the whole list must not pass for one of the service's. */
export function tellReading({ read, unsaid, stopped }: Reading, plural: string, notes: Notes): void {
  notes.note(
    `${counted(read, "row")} read, since the service has no such filter${stopped ? "; there may be more: --limit N or --all" : ""}`,
  );
  if (unsaid > 0) notes.warn(`${unsaid} of the ${plural} do not say it, and are left out`);
}
