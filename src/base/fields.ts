import { ExactNumber, stringifyExactJson } from "./exact-json.js";

/** A JSON object as received. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** Returns the value at a dotted path; for a list, the values of its items; undefined if missing. Also finds names that contain dots. */
export function getValueAt(row: unknown, path: string): unknown {
  if (Array.isArray(row)) {
    const values = row.map((entry) => getValueAt(entry, path));
    // An index is not a field of the items, which an empty list can't show.
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

/** Returns a row with only these paths, nested as before. Missing values are null, so that all rows have the same fields. */
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

/** Formats a value as one cell. Lists are separated by commas, objects are JSON, and empty values are empty text. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every(isScalar)) return value.map(formatCell).join(", ");
  return isScalar(value) ? String(value) : stringifyExactJson(value);
}

/** Returns whether a value contains no other values. */
export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null || value instanceof ExactNumber;
}

/** Returns the text in a response's field, or an empty string. */
export function getText(row: Fields, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}
