/** Cells of a row as texts. */
import type { SourceRow } from "../sources/types.js";
import { type ColumnPlan, type ContactField, splitPair } from "./headers.js";

/** The part of a cell that feeds a field: the whole cell, unless its column contains several fields. */
export function cellIn(
  row: SourceRow,
  index: number,
  field: ContactField,
  pairs: ColumnPlan["pairs"],
): unknown {
  const fields = pairs.get(index);
  const value = row.values[index];
  return fields === undefined ? value : splitPair(asText(value), fields)[fields.indexOf(field)];
}

/** JSON has lists where a table has cells. */
export function textsIn(cells: readonly unknown[]): string[] {
  return cells.flatMap((cell) => (Array.isArray(cell) ? cell.map(asText) : asText(cell)));
}

/** A cell of a table or a value of JSON as a text. */
export function asText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "string") return cell;
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
