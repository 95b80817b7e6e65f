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
  /** The field whose words it compares, where those that there are can be told: a status that no row has is a typing error. */
  field?: string;
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
  /** Words that rows have in the fields that were asked for, by the filters' flags. */
  met: ReadonlyMap<string, Set<string>>;
}

/** A reading that has not begun. */
export function newReading(filters: readonly RowFilter[], input: Input): Reading {
  const asked = filters.filter(({ flag, field }) => field !== undefined && input.has(flag.name));
  const met = new Map(asked.map(({ flag }) => [flag.name, new Set<string>()]));
  return { read: 0, matched: 0, unsaid: 0, stopped: false, met };
}

function meet(row: Fields, filters: readonly RowFilter[], { met }: Reading): void {
  for (const { flag, field } of filters) {
    const word = field === undefined ? undefined : row[field];
    if (typeof word === "string" && word !== "") met.get(flag.name)?.add(word);
  }
}

/** The rows that fit, at most `limit` of them; counts what it reads. */
export async function* matchingRows(
  rows: AsyncIterable<unknown>,
  { judge, filters }: { judge: (row: Fields) => boolean | undefined; filters: readonly RowFilter[] },
  limit: number | undefined,
  reading: Reading,
): AsyncGenerator<unknown, void> {
  for await (const row of rows) {
    reading.read += 1;
    if (reading.matched === 0 && isFields(row)) meet(row, filters, reading);
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
export function tellReading(
  { read, matched, unsaid, stopped, met }: Reading,
  plural: string,
  notes: Notes,
): void {
  notes.note(
    `${counted(read, "row")} read, since the service has no such filter${stopped ? "; there may be more: --limit N or --all" : ""}`,
  );
  for (const [flag, words] of matched === 0 ? met : [])
    if (words.size > 0) notes.note(`--${flag}: these ${plural} have ${[...words].sort().join(", ")}`);
  if (unsaid > 0) notes.warn(`${unsaid} of the ${plural} do not say it, and are left out`);
}
