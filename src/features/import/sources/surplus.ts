import { formatCount } from "../../../base/text.js";

/** The column in a rejects file that contains the reason for each row. Imports ignore this column. */
export const errorColumn = "voxctl_error";

/**
 * Returns the problem of a row with more filled cells than the header. In a rejects file, the last cell of
 * such a row contains the error and doesn't count.
 */
export function findSurplus(cells: readonly string[], names: readonly string[]): string | undefined {
  if (cells.length <= names.length) return undefined;
  const lastFilled = (end?: number) => cells.slice(0, end).findLastIndex((cell) => cell.trim() !== "");
  const errorIndex = names.at(-1) === errorColumn ? lastFilled() : undefined;
  if (errorIndex !== undefined && errorIndex < names.length) return undefined;
  const columns = errorIndex === undefined ? names.length : names.length - 1;
  const last = lastFilled(errorIndex) + 1;
  return last > columns
    ? `has a value in cell ${last} but the header has only ${formatCount(columns, "column")}`
    : undefined;
}
