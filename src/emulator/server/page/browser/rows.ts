/** The fields are not validated. */
export type Row = Readonly<Record<string, unknown>>;

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function rowOf(value: unknown): Row {
  return isRow(value) ? value : {};
}

export function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** Returns a field as text: an empty string if the field is absent, JSON if it is an object or list. */
export function text(row: Row, name: string): string {
  const value = row[name];
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function number(row: Row, name: string): number {
  const value = row[name];
  return typeof value === "number" ? value : 0;
}
