import { hasLostLetters } from "../../../base/utf8.js";
import { excerpt } from "../../../write/values.js";
import { isGarbled } from "./garbled.js";
import { perShape } from "./shapes.js";
import { errorColumn } from "./surplus.js";
import type { Source, SourceRow } from "./types.js";

export interface Survey {
  /** Number of rows in the list, without notes or totals below the list. */
  rows: number;
  /**
   * Number of rows below the list, and the line of the first one. These rows have no value in any mapped
   * column.
   */
  below: { count: number; line: number } | undefined;
  /** Returns whether a column is empty in more than half of the rows, so that its empty cells are ignored. */
  isSparse(names: readonly string[], index: number): boolean;
  /** First cell with a name that was probably decoded incorrectly. */
  garbled?: { line: number; column: string; value: string };
  /** Row that makes the file seem truncated: an incomplete last row, or a record that contains other rows. */
  incomplete?: { line: number; reason: string };
  first: readonly SourceRow[];
}

const rowsShown = 3;
/**
 * Maximum number of rows below the list, such as totals. If a file has more, voxctl skips none of them,
 * because these rows may be part of the list.
 */
const mostBelow = 3;

export function isEmptyCell(cell: unknown): boolean {
  if (Array.isArray(cell)) return cell.every(isEmptyCell);
  return cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

/** Returns the positions of cells. Called only once for consecutive rows with the same column names. */
type Positions = (names: readonly string[]) => readonly number[];

interface SurveyOptions {
  /** Cells with names of contacts, in which garbled letters show a wrong encoding. */
  namesAt?: Positions;
  /** Whether the user specified the encoding. Garbled text is then reported only if it contains U+FFFD. */
  isEncodingNamed?: boolean;
  /**
   * All cells that are read. Rows at the end of a table don't belong to the list if all these cells are
   * empty.
   */
  readAt?: Positions;
  see?: (row: SourceRow) => void;
}

export async function surveyFile(
  source: Source,
  { namesAt = () => [], isEncodingNamed = false, readAt, see = () => {} }: SurveyOptions = {},
): Promise<Survey> {
  let rows = 0;
  const filled = new Map<string, number>();
  // JSON objects can have their fields in any order, so their columns are identified by name.
  const isTable = source.format === "csv" || source.format === "xlsx";
  const key = (names: readonly string[], index: number) => `${isTable ? index : ""}:${names[index] ?? ""}`;
  const shapeOf = perShape((names) => ({
    namesAt: namesAt(names),
    readAt: readAt?.(names),
    keys: names.map((_, index) => key(names, index)),
  }));
  const isWrong = (name: string) =>
    isEncodingNamed ? hasLostLetters(name) : isGarbled(name, source.encoding);
  let garbled: Survey["garbled"];
  let last: SourceRow | undefined;
  const first: SourceRow[] = [];
  let hiding: SourceRow | undefined;
  let below: Survey["below"];
  for await (const row of source.rows()) {
    rows += 1;
    last = row;
    if (first.length < rowsShown) first.push(row);
    const shape = shapeOf(row.names);
    if (isTable && shape.readAt !== undefined) below = belowWith(row, shape.readAt, below);
    see(row);
    if (row.hidesRows) hiding ??= row;
    if (row.problem !== undefined) continue;
    for (let index = 0; index < row.values.length; index += 1) {
      if (isEmptyCell(row.values[index])) continue;
      const column = shape.keys[index] ?? key(row.names, index);
      filled.set(column, (filled.get(column) ?? 0) + 1);
    }
    garbled ??= garbledIn(row, shape.namesAt, isWrong);
  }
  if (below !== undefined && below.count > mostBelow) below = undefined;
  rows -= below?.count ?? 0;
  return {
    rows,
    below,
    isSparse: (names, index) => (filled.get(key(names, index)) ?? 0) * 2 < rows,
    first: first.slice(0, rows),
    ...(garbled === undefined ? {} : { garbled }),
    ...incompleteIn(hiding ?? last, source),
  };
}

/**
 * Adds this row to the rows below the list: returns their number and the line of the first one. Returns
 * undefined if this row belongs to the list. A row with only one filled cell belongs to the list, so that it is
 * reported as invalid.
 */
function belowWith(row: SourceRow, positions: readonly number[], below: Survey["below"]): Survey["below"] {
  const { problem, names, values, number, line } = row;
  // The first row belongs to the list, even if it is empty.
  if (number === 1 || problem !== undefined || values.length < names.length) return undefined;
  if (!positions.every((index) => isEmptyCell(values[index]))) return undefined;
  if (values.filter((value, index) => !isEmptyCell(value) && names[index] !== errorColumn).length < 2)
    return undefined;
  return { count: (below?.count ?? 0) + 1, line: below?.line ?? line };
}

function garbledIn(
  { names, values, line }: SourceRow,
  positions: readonly number[],
  isWrong: (name: string) => boolean,
): Survey["garbled"] {
  for (const index of positions) {
    const value = values[index];
    if (typeof value === "string" && isWrong(value))
      return { line, column: names[index] ?? "", value: excerpt(value) };
  }
  return undefined;
}

function incompleteIn(last: SourceRow | undefined, { format }: Source): Pick<Survey, "incomplete"> {
  if (last === undefined) return {};
  const { line, names, values, problem } = last;
  if (problem !== undefined) return { incomplete: { line, reason: problem } };
  if (format !== "csv" || values.length >= names.length) return {};
  const reason = `has ${values.length} cells but the header has ${names.length}`;
  return { incomplete: { line, reason } };
}
