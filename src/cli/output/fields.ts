import { ExactNumber, stringifyExactJson } from "../../base/exact-json.js";
import type { Column } from "./output.js";

/** A JSON object as it came. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** The value at a dotted path, of a list those of its entries; undefined where there is none. A field's name that holds dots is found, too. */
export function getValueAt(row: unknown, path: string): unknown {
  if (Array.isArray(row)) {
    const values = row.map((entry) => getValueAt(entry, path));
    // A place in a list is no field of its entries, which an empty one can't tell.
    const isNone = values.every((value) => value === undefined) && (values.length > 0 || /^\d/.test(path));
    return isNone ? undefined : values;
  }
  if (!isFields(row)) return undefined;
  if (Object.hasOwn(row, path)) return row[path];
  const dot = path.indexOf(".");
  return dot === -1 ? undefined : getValueAt(getOwn(row, path.slice(0, dot)), path.slice(dot + 1));
}

function getOwn(row: Fields, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Only these paths of a row, nested as they were; null where a row has none, so that every row has the same. */
export function selectFields(row: unknown, paths: readonly string[]): unknown {
  if (!isFields(row)) return row;
  const selected: Record<string, unknown> = {};
  for (const path of paths) setValueAt(selected, path, getValueAt(row, path) ?? null, row);
  return selected;
}

function setValueAt(target: Record<string, unknown>, path: string, value: unknown, source: unknown): void {
  const dot = path.indexOf(".");
  if (dot === -1 || (isFields(source) && Object.hasOwn(source, path))) {
    Object.defineProperty(target, path, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const name = path.slice(0, dot);
  const existing = getOwn(target, name);
  const inner: Record<string, unknown> = isFields(existing) ? { ...existing } : {};
  setValueAt(inner, path.slice(dot + 1), value, isFields(source) ? getOwn(source, name) : undefined);
  Object.defineProperty(target, name, { value: inner, enumerable: true, configurable: true, writable: true });
}

/** The value of a column for a row; undefined where the row does not hold it. */
export function getColumnValue(row: unknown, { value }: Column): unknown {
  if (typeof value === "string") return getValueAt(row, value);
  return isFields(row) ? value(row) : undefined;
}

/** A value in one cell, as text: lists by comma, objects as JSON, nothing for nothing. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every(isScalar)) return value.map(formatCell).join(", ");
  return isScalar(value) ? String(value) : stringifyExactJson(value);
}

/** A value without others in it. */
export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null || value instanceof ExactNumber;
}

/** The text in a field of what the service answered, or the empty one. */
export function getText(row: Fields, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}

/**
 * A column that is made of these fields. T10: where an answer contains none of them, nothing is said of them either.
 */
export function showIfPresent<Shown>(
  names: readonly string[],
  show: (row: Fields) => Shown,
): (row: Fields) => Shown | undefined {
  return (row) => (names.some((name) => row[name] !== undefined) ? show(row) : undefined);
}

/** The beginning of a long text, on one line. */
export function showBeginning(name: string, characters: number): (row: Fields) => string | undefined {
  return showIfPresent([name], (row) => {
    const text = getText(row, name).replace(/\s+/g, " ").trim();
    return text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
  });
}
