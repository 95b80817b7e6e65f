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

interface Replacing {
  fields: Fields;
  rules: ReplaceRules;
}

/**
 * Returns the new value of each field that has a column. Omits a field if one of its cells is invalid. An
 * empty cell clears its field only if at least half of the column is filled, or if `--clear-empty` lists the
 * column.
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
      // A placeholder such as `NULL` doesn't clear a field, because the program that wrote the file may have
      // been unable to export the contact's value.
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

function isEmpty(cell: unknown): boolean {
  return isEmptyCell(cell) || (typeof cell === "string" && isNoValue(cell));
}

/** Returns the mapped columns that are mostly empty. Their empty cells are ignored. */
export function silentColumns(input: ContactInput, clearEmpty: readonly string[]): string[] {
  const { names, columns, survey } = input;
  const cleared = new Set(clearEmpty.flatMap((column) => positionsOf(names, column)));
  const fed = new Set(contactFields.flatMap((field: ContactField) => columns.columns[field]));
  return names.filter((_, index) => fed.has(index) && !cleared.has(index) && survey.isSparse(names, index));
}

/** @throws BulkError if a column in `clearEmpty` is not mapped to a field */
export function checkClearEmpty(input: ContactInput, clearEmpty: readonly string[]): void {
  const { names, columns, source } = input;
  const fed = new Set(contactFields.flatMap((field) => columns.columns[field]));
  for (const column of clearEmpty) {
    if (positionsOf(names, column).some((index) => fed.has(index))) continue;
    throw new BulkError(
      "unknown_column",
      `--clear-empty: ${source.name} has no mapped column "${column}"`,
      `use one of the file's columns: ${columnList(names)}`,
    );
  }
}
