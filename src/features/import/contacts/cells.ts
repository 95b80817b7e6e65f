import type { SourceRow } from "../sources/types.js";
import { type ColumnPlan, type ContactField, splitPair } from "./headers.js";

/** Returns the value of a field. If the cell contains several fields, returns only the part of this field. */
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

/** A cell with a JSON list yields one string per list entry. */
export function textsIn(cells: readonly unknown[]): string[] {
  // Most calls take this fast path.
  const [only] = cells;
  if (cells.length === 1 && typeof only === "string") return [only];
  return cells.flatMap((cell) => (Array.isArray(cell) ? cell.map(asText) : asText(cell)));
}

export function asText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "string") return cell;
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
