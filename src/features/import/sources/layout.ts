import { BulkError } from "../../../write/errors.js";

export interface LayoutOptions {
  /** Name or number of the spreadsheet's sheet. */
  sheet?: string | undefined;
  /** Line (in a spreadsheet: row) with the column names. */
  headerRow?: number | undefined;
  /** Number of lines (in a spreadsheet: rows) to skip at the start. */
  skipRows?: number | undefined;
  delimiter?: string | undefined;
  /**
   * Returns the number of cells that are known column names; 0 if the cells can't be a header. Without this
   * function, the first row is the header.
   */
  knownColumns?: ((cells: readonly string[]) => number) | undefined;
  /**
   * Returns the positions of the columns that identify a contact. The value of merged cells in such a column
   * is not copied to all merged rows, because the rows would then seem to describe the same contact.
   */
  identifyingColumns?: ((names: readonly string[]) => readonly number[]) | undefined;
}

export interface RawRow {
  /** Line on which the row starts; in a spreadsheet, the row number. */
  line: number;
  cells: readonly string[];
}

const rowsLookedAt = 20;

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
 * Returns the position of a table's header: the specified row; by default, the row with the most known column
 * names. If no row has known names, the first row is the header.
 * @throws BulkError `empty_file` if no row is specified and the table has no rows
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
    throw new BulkError("empty_file", `${name} is empty`, "add a first line with the column names");
  return best;
}

export function headerRowNotFound(name: string, line: number): BulkError {
  return new BulkError(
    "no_header",
    `--header-row: ${name} has no row that starts on line ${line}`,
    "line numbers count all lines of the file, starting from 1",
  );
}
