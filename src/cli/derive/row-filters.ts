import type { Fields } from "../../base/fields.js";
import { isFields } from "../../base/fields.js";
import { appendSuggestion } from "../../base/suggestions.js";
import { formatCount } from "../../base/text.js";
import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import type { Notes } from "../terminal/notes.js";

type Judge = (row: Fields) => boolean | undefined;

/** A filter that voxctl applies itself, because the service does not support it. */
export interface RowFilter {
  flag: Flag;
  /**
   * @returns whether a row matches; undefined if the row does not contain the field
   * @throws usage error (2) for an invalid value
   */
  read(value: string, session: Session): Judge | Promise<Judge>;
  /** Field that the filter compares. If no row has the typed value, a warning reports a possible typo. */
  field?: string;
  plain?(word: string): string;
}

/** @throws usage error (2) */
export async function readRowFilters(
  filters: readonly RowFilter[],
  input: Input,
  session: Session,
): Promise<Judge | undefined> {
  const given: Judge[] = [];
  for (const { flag, read } of filters) {
    const value = input.text(flag.name);
    if (value === undefined) continue;
    if (value.trim() === "") throw usageError(`--${flag.name} is empty`);
    given.push(await read(value.trim(), session));
  }
  if (given.length === 0) return undefined;
  return (row) => {
    const judged = given.map((judge) => judge(row));
    if (judged.includes(false)) return false;
    return judged.includes(undefined) ? undefined : true;
  };
}

export interface Reading {
  filterWords: ReadonlyMap<string, FilterWords>;
  read: number;
  matched: number;
  undetermined: number;
  stopped: boolean;
  seenWords: ReadonlyMap<string, Set<string>>;
}

interface FilterWords {
  words: readonly string[];
  /** Values to suggest even if no row has them. */
  usual: readonly string[];
  plain(word: string): string;
}

export function createReading(filters: readonly RowFilter[], input: Input): Reading {
  const filterWords = new Map<string, FilterWords>();
  for (const { flag, field, plain = (word: string) => word } of filters) {
    const words = (input.text(flag.name) ?? "").split(",").flatMap((word) => word.trim() || []);
    if (field !== undefined && words.length > 0)
      filterWords.set(flag.name, { words, usual: flag.choices ?? [], plain });
  }
  const seenWords = new Map([...filterWords.keys()].map((name) => [name, new Set<string>()]));
  return { read: 0, matched: 0, undetermined: 0, stopped: false, seenWords, filterWords };
}

function collectWords(row: Fields, filters: readonly RowFilter[], { seenWords }: Reading): void {
  for (const { flag, field } of filters) {
    const word = field === undefined ? undefined : row[field];
    if (typeof word === "string" && word !== "") seenWords.get(flag.name)?.add(word);
  }
}

export async function* matchingRows(
  rows: AsyncIterable<unknown>,
  { judge, filters }: { judge: (row: Fields) => boolean | undefined; filters: readonly RowFilter[] },
  limit: number | undefined,
  reading: Reading,
): AsyncGenerator<unknown, void> {
  for await (const row of rows) {
    reading.read += 1;
    if (isFields(row)) collectWords(row, filters, reading);
    const fits = isFields(row) ? judge(row) : undefined;
    if (fits === undefined) reading.undetermined += 1;
    if (fits !== true) continue;
    reading.matched += 1;
    yield row;
    if (reading.matched !== limit) continue;
    reading.stopped = true;
    return;
  }
}

/** Reports how many rows were read, to explain why the filter was slow. */
export function reportReading(
  { read, matched, undetermined, stopped, seenWords, filterWords }: Reading,
  plural: string,
  notes: Notes,
): void {
  notes.note(
    `Filtered ${formatCount(read, "row")} on this machine, because the service does not support this filter.${stopped ? ` Showing the first ${formatCount(matched, "match", "matches")}. For more, use --limit or --all.` : ""}`,
  );
  for (const [flag, { words, usual, plain }] of filterWords) {
    const here = [...(seenWords.get(flag) ?? [])].sort();
    const known = new Set([...here, ...usual].map(plain));
    // Only warn, because a value may be valid even if no row has it.
    const unknown = words.filter((word) => !known.has(plain(word)));
    for (const word of unknown)
      notes.warn(
        `--${flag}: none of ${formatCount(read, "row")} has "${word}"${appendSuggestion(word, [...here, ...usual])}`,
      );
    if (here.length > 0 && (matched === 0 || unknown.length > 0))
      notes.note(`--${flag}: these ${plural} have the values ${here.join(", ")}`);
  }
  if (undetermined > 0)
    notes.warn(`skipped ${undetermined} ${plural} without the field that the filter compares`);
}
