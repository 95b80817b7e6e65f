import { type Fields, getText, getValueAt, isFields } from "../../base/fields.js";
import type { Column } from "./output.js";

export function getColumnValue(row: unknown, { value }: Column): unknown {
  if (typeof value === "string") return getValueAt(row, value);
  return isFields(row) ? value(row) : undefined;
}

/**
 * Returns a function that computes a value from several fields; undefined if the row has none of the fields.
 */
export function showIfPresent<Shown>(
  names: readonly string[],
  show: (row: Fields) => Shown,
): (row: Fields) => Shown | undefined {
  return (row) => (names.some((name) => row[name] !== undefined) ? show(row) : undefined);
}

export function showBeginning(name: string, characters: number): (row: Fields) => string | undefined {
  return showIfPresent([name], (row) => {
    const text = getText(row, name).replace(/\s+/g, " ").trim();
    return text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
  });
}
