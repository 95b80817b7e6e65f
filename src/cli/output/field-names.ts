import { getValueAt, isFields } from "../../base/fields.js";
import { suggestName } from "../../base/suggestions.js";
import { usageError } from "../errors/errors.js";
import type { View } from "./output.js";

const mostNamed = 40;

/**
 * @param view.fields known fields of the resource; a response can contain other fields
 * @throws usage error (2) that lists the fields
 */
export function assertFieldsExist(
  fields: readonly string[],
  rows: readonly unknown[],
  { fields: known = [], columns }: Pick<View, "fields" | "columns">,
): void {
  if (!rows.some(isFields)) return;
  const names = [...new Set([...known, ...rows.flatMap((row) => (isFields(row) ? Object.keys(row) : []))])];
  const unknown = fields.filter((field) => !mayExist(field, rows, names));
  const [first] = unknown;
  if (first === undefined) return;
  const head = first.slice(0, first.lastIndexOf("."));
  const inner = first.includes(".") ? namesAt(rows, head) : [];
  const listed = inner.length > 0 ? inner.map((name) => `${head}.${name}`) : names;
  const shown = listed.slice(0, mostNamed).join(", ");
  throw usageError(`invalid --fields: unknown field ${unknown.map((field) => `"${field}"`).join(", ")}`, {
    hint: `${suggestColumn(first, columns) ?? suggestName(first, listed)}fields: ${shown}${listed.length > mostNamed ? " and more" : ""}`,
  });
}

/**
 * Checks --fields for a command whose result always has the same fields.
 * @throws usage error (2) that lists the fields
 */
export function assertResultFields(fields: readonly string[] | undefined, known: readonly string[]): void {
  if (fields) assertFieldsExist(fields, [{}], { fields: known, columns: [] });
}

function suggestColumn(name: string, columns: View["columns"]): string | undefined {
  const heading = name.replace(/[_-]/g, " ").toUpperCase();
  const value = columns.find(({ header }) => header.toUpperCase() === heading)?.value;
  return typeof value === "string" ? `did you mean ${value}? ` : undefined;
}

/** Returns true for a field whose parent is empty in all rows, because such a field can't be checked. */
function mayExist(field: string, rows: readonly unknown[], names: readonly string[]): boolean {
  if (names.includes(field) || rows.some((row) => getValueAt(row, field) !== undefined)) return true;
  const dot = field.indexOf(".");
  if (dot === -1) return false;
  const head = field.slice(0, dot);
  if (!names.includes(head)) return false;
  const values = rows.flatMap((row) => getValueAt(row, head));
  const inner = values.filter(isFields);
  if (inner.length === 0) return !values.some((value) => value !== undefined && value !== null);
  return mayExist(field.slice(dot + 1), inner, Object.keys(Object.assign({}, ...inner)));
}

function namesAt(rows: readonly unknown[], path: string): string[] {
  const values = rows.map((row) => getValueAt(row, path)).flat(Number.POSITIVE_INFINITY);
  return [...new Set(values.filter(isFields).flatMap((value) => Object.keys(value)))];
}
