import { BulkError } from "../../../write/errors.js";
import type { Fields } from "../../../write/fields.js";
import type { ReplaceRules } from "../../../write/input-row.js";
import { columnList } from "../sources/header.js";
import { isEmptyCell } from "../sources/survey.js";
import type { SourceRow } from "../sources/types.js";
import { type ContactField, contactFields, positionsOf } from "./headers.js";
import type { ContactInput } from "./input.js";
import { isNoValue } from "./is-no-value.js";
import type { ReadContact } from "./rows.js";

/** Fields and rules of a row that a contact is to equal. */
interface Replacing {
  fields: Fields;
  rules: ReplaceRules;
}

/**
 * The values of a row for every field that has a column in the file (S0); undefined if a cell could not be
 * read. An empty cell counts only in a column that is filled in at least half of the rows, or that
 * `--clear-empty` names.
 */
export function replacingFields(
  input: ContactInput,
  row: SourceRow,
  read: Extract<ReadContact, { contact: unknown }>,
  clearEmpty: readonly string[],
): Replacing {
  const { columns, pairs } = input.columnsOf(row.names);
  const cleared = new Set(clearEmpty.flatMap((column) => positionsOf(row.names, column)));
  const dropped = new Set((read.dropped ?? []).map(({ field }) => field));
  const fields: Record<string, unknown> = {};
  const keeps: Record<string, number> = {};
  const empties: string[] = [];
  for (const field of contactFields) {
    const fed = columns[field];
    if (fed.length === 0 || dropped.has(field)) continue;
    const value = read.contact[field];
    const silent = fed.filter((index) => {
      if (cleared.has(index)) return false;
      const cell = row.values[index];
      if (isEmptyCell(cell)) return input.survey.isSparse(row.names, index);
      // A placeholder word does not clear a field: it may represent a value that the program could not write.
      const isNoName = typeof value === "string" && value === "" && !pairs.has(index);
      if (isNoName || (typeof cell === "string" && input.isNothing(cell))) return true;
      return isEmpty(cell) && input.survey.isSparse(row.names, index);
    }).length;
    if (value.length === 0 && silent > 0) continue;
    fields[field] = value;
    if (typeof value === "string") continue;
    if (silent > 0) keeps[field] = silent;
    if (fed.some((index) => cleared.has(index))) empties.push(field);
  }
  return { fields, rules: { keeps, empties } };
}

/** Returns whether a cell has no value; a placeholder for "no value" counts as empty. */
function isEmpty(cell: unknown): boolean {
  return isEmptyCell(cell) || (typeof cell === "string" && isNoValue(cell));
}

/** Columns that feed a field but whose empty cells are ignored, because most of their cells are empty. */
export function silentColumns(input: ContactInput, clearEmpty: readonly string[]): string[] {
  const { names, columns, survey } = input;
  const cleared = new Set(clearEmpty.flatMap((column) => positionsOf(names, column)));
  const fed = new Set(contactFields.flatMap((field: ContactField) => columns.columns[field]));
  return names.filter((_, index) => fed.has(index) && !cleared.has(index) && survey.isSparse(names, index));
}

/** @throws BulkError for a column of `--clear-empty` that feeds no field */
export function checkClearEmpty(input: ContactInput, clearEmpty: readonly string[]): void {
  const { names, columns, source } = input;
  const fed = new Set(contactFields.flatMap((field) => columns.columns[field]));
  for (const column of clearEmpty) {
    if (positionsOf(names, column).some((index) => fed.has(index))) continue;
    throw new BulkError(
      "unknown_column",
      `--clear-empty: ${source.name} has no column “${column}” that is read`,
      `its columns are ${columnList(names)}`,
    );
  }
}
