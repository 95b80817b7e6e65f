import { BulkError } from "../../../write/errors.js";

/** The layout of a table in its file, if the user specified it. */
export interface LayoutOptions {
  /** Name or number of a spreadsheet's sheet. */
  sheet?: string | undefined;
  /** The line, or the spreadsheet's row, that names the columns. */
  headerRow?: number | undefined;
  /** Lines, or rows, from the first that are not read. */
  skipRows?: number | undefined;
  delimiter?: string | undefined;
  /**
   * Returns how many of these cells are known column names; 0 if they can't be a header. If omitted, the
   * first row is the header.
   */
  knownColumns?: ((cells: readonly string[]) => number) | undefined;
  /**
   * Returns the positions of the columns that identify a row: rows that share a cell there would be merged.
   */
  identifyingColumns?: ((names: readonly string[]) => readonly number[]) | undefined;
}

/** A row of a table before its role is known. */
export interface RawRow {
  /** The line on which it starts, or the row of the spreadsheet. */
  line: number;
  cells: readonly string[];
}

const rowsLookedAt = 20;

/** Returns the first rows with content, one of which may be the header. */
export function firstRows(rows: Iterable<RawRow>, { skipRows = 0 }: LayoutOptions): RawRow[] {
  const first: RawRow[] = [];
  for (const row of rows) {
    if (row.line <= skipRows || row.cells.every((cell) => cell.trim() === "")) continue;
    first.push(row);
    if (first.length === rowsLookedAt) break;
  }
  return first;
}

/**
 * Decides which of the first rows of a table is the header: the specified one, otherwise the one with the
 * most known names, otherwise the first.
 * @throws BulkError if no row starts at the specified line
 */
export function headerOf(
  rows: readonly RawRow[],
  { headerRow, knownColumns }: LayoutOptions,
  name: string,
): { line: number; known: number } {
  if (headerRow !== undefined) {
    return {
      line: headerRow,
      known: knownColumns?.(rows.find(({ line }) => line === headerRow)?.cells ?? []) ?? 0,
    };
  }
  let best = { line: rows[0]?.line ?? 1, known: 0 };
  for (const { line, cells } of rows) {
    const known = knownColumns?.(cells.map((cell) => cell.trim())) ?? 0;
    if (known > best.known) best = { line, known };
  }
  if (rows.length === 0)
    throw new BulkError("empty_file", `${name} is empty`, "its first line must name the columns");
  return best;
}

/** The error for `--header-row` if no row starts at that line. */
export function headerRowNotFound(name: string, line: number): BulkError {
  return new BulkError(
    "no_header",
    `--header-row: ${name} has no row that begins in line ${line}`,
    "count all lines of the file, from 1",
  );
}
