import { BulkError } from "../errors.js";

/** How a table lies in its file, where a person says it. */
export interface LayoutOptions {
  /** Name or number of a spreadsheet's sheet. */
  sheet?: string | undefined;
  /** The line, or the spreadsheet's row, that names the columns. */
  headerRow?: number | undefined;
  /** Lines, or rows, from the first that are not read. */
  skipRows?: number | undefined;
  delimiter?: string | undefined;
  /** How many of these cells are known as names of columns; 0 where they can't be a header. Without it the first row is one. */
  knownColumns?: ((cells: readonly string[]) => number) | undefined;
  /** Positions of the columns by which a row is known: rows that share a cell there would become one. */
  identifyingColumns?: ((names: readonly string[]) => readonly number[]) | undefined;
}

/** A row of a table before it is known what the row is. */
export interface RawRow {
  /** The line on which it begins, or the spreadsheet's row. */
  line: number;
  cells: readonly string[];
}

const rowsLookedAt = 20;

/** The first rows with content that may hold the header. */
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
 * Which of a table's first rows names the columns: the one that is told, else the one with the most known names, else
 * the first.
 * @throws BulkError where no row begins at the line that is told
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

/** The refusal of `--header-row` where no row begins there. */
export function headerRowNotFound(name: string, line: number): BulkError {
  return new BulkError(
    "no_header",
    `--header-row: ${name} has no row that begins in line ${line}`,
    "count all lines of the file, from 1",
  );
}
