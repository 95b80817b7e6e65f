import { ExactNumber, stringifyExactJson } from "./exact-json.js";

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

export function mapInner(
  value: unknown,
  convert: (inner: unknown, key: number | string) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => convert(entry, index));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner, name)]));
}

/**
 * Returns the value at a path such as `name.first`; undefined if it is missing. If a list is on the path,
 * returns the values from all its items.
 */
export function getValueAt(row: unknown, path: string): unknown {
  if (Array.isArray(row)) {
    const values = row.map((entry) => getValueAt(entry, path));
    // For an empty list, the path `name` yields an empty list, but `0.name` yields undefined.
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

/** Returns a row with only these paths, nested as in the original. A missing value becomes null. */
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

/**
 * Formats a value for a table cell: a list as comma-separated values, an object as JSON, and null as an empty
 * string.
 */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every(isScalar)) return value.map(formatCell).join(", ");
  return isScalar(value) ? String(value) : stringifyExactJson(value);
}

export function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null || value instanceof ExactNumber;
}

export function getText(row: Fields, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}
