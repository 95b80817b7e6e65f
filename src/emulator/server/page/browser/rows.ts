/** Responses of the control interface, read without assumptions about their shape. */
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

/** Returns a field as text: empty if absent, JSON if it is not a plain value. */
export function text(row: Row, name: string): string {
  const value = row[name];
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a field as a number, 0 if it is not a number. */
export function number(row: Row, name: string): number {
  const value = row[name];
  return typeof value === "number" ? value : 0;
}
