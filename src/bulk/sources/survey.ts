import { excerpt } from "../values.js";
import { isGarbled } from "./garbled.js";
import { perShape } from "./shapes.js";
import type { Source, SourceRow } from "./types.js";

/** The facts about a file as a whole that one look through it shows. */
export interface Survey {
  /** Without those below the list. */
  rows: number;
  /**
   * Rows below the list that hold nothing which is read, or a total: so many, the first one's line, and the first
   * total's words.
   */
  below: { count: number; line: number; total?: string } | undefined;
  /** Has this column a value in less than half of the rows? Then an empty cell of it says nothing (S0). */
  isSparse(names: readonly string[], index: number): boolean;
  /** The first name that was decoded wrongly, as it seems. */
  garbled?: { line: number; column: string; value: string };
  /** The last row is not whole: a file that was cut looks so. */
  incomplete?: { line: number; reason: string };
  /** The last row, where it alone has nothing but a name: a footer looks so. */
  lone?: { line: number; column: string; value: string };
  /** The first rows, as they stand there. */
  first: readonly SourceRow[];
}

const rowsShown = 3;
/** No more rows than these are taken for remarks, unless they stand below a total: what is left out is no data of the list. */
const mostBelow = 3;

/** Does a cell hold nothing? */
export function isEmptyCell(cell: unknown): boolean {
  if (Array.isArray(cell)) return cell.every(isEmptyCell);
  return cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

/** Positions of cells, by the names of the columns; asked once for rows of one shape. */
type Positions = (names: readonly string[]) => readonly number[];

interface SurveyOptions {
  /** The cells that hold people's names, which tell whether a text was decoded rightly. */
  namesAt?: Positions;
  /** All cells that are read: a table may end with rows that have nothing in them. */
  readAt?: Positions;
  /** A total's words, where a row can be nothing else. */
  totalIn?: (row: SourceRow) => string | undefined;
}

/** Looks through a file once. */
export async function surveyFile(
  source: Source,
  { namesAt = () => [], readAt, totalIn = () => undefined }: SurveyOptions = {},
): Promise<Survey> {
  let rows = 0;
  const filled = new Map<string, number>();
  // Objects may have their fields in any order.
  const isTable = source.format === "csv" || source.format === "xlsx";
  const key = (names: readonly string[], index: number) => `${isTable ? index : ""}:${names[index] ?? ""}`;
  const shapeOf = perShape((names) => ({
    namesAt: namesAt(names),
    readAt: readAt?.(names),
    keys: names.map((_, index) => key(names, index)),
  }));
  let garbled: Survey["garbled"];
  let last: SourceRow | undefined;
  const first: SourceRow[] = [];
  let below: Survey["below"];
  const lone = loneRow();
  for await (const row of source.rows()) {
    rows += 1;
    last = row;
    if (first.length < rowsShown) first.push(row);
    const shape = shapeOf(row.names);
    if (isTable && shape.readAt !== undefined) {
      below = belowWith(row, shape.readAt, below, totalIn(row));
      if (below === undefined) lone.see(row, shape.readAt, shape.namesAt);
    }
    if (row.problem !== undefined) continue;
    for (let index = 0; index < row.values.length; index += 1) {
      if (isEmptyCell(row.values[index])) continue;
      const column = shape.keys[index] ?? key(row.names, index);
      filled.set(column, (filled.get(column) ?? 0) + 1);
    }
    garbled ??= garbledIn(row, shape.namesAt, source);
  }
  if (below !== undefined && below.count > mostBelow && below.total === undefined) below = undefined;
  rows -= below?.count ?? 0;
  return {
    rows,
    below,
    isSparse: (names, index) => (filled.get(key(names, index)) ?? 0) * 2 < rows,
    first: first.slice(0, rows),
    ...(garbled === undefined ? {} : { garbled }),
    ...lone.result(rows),
    ...incompleteIn(last, source),
  };
}

/** Watches for a last row that alone has a single cell, a name's. */
function loneRow() {
  let count = 0;
  let last: Survey["lone"];
  return {
    see({ names, values, line }: SourceRow, positions: readonly number[], namesAt: readonly number[]): void {
      const at = positions.find((index) => !isEmptyCell(values[index]));
      const hasMore = positions.some((index) => index !== at && !isEmptyCell(values[index]));
      const isLone = at !== undefined && !hasMore && namesAt.includes(at);
      if (isLone) count += 1;
      last = isLone ? { line, column: names[at] ?? "", value: excerpt(String(values[at])) } : undefined;
    },
    result: (rows: number): Pick<Survey, "lone"> =>
      last !== undefined && count === 1 && rows > 2 ? { lone: last } : {},
  };
}

/** What stands below the list, if this row still does. */
function belowWith(
  row: SourceRow,
  positions: readonly number[],
  below: Survey["below"],
  total: string | undefined,
): Survey["below"] {
  const holdsSome = !holdsNothing(row, positions);
  // The first row is the list's, even if it holds nothing; one that says it is a total never is.
  if (total === undefined && (holdsSome || row.number === 1)) return undefined;
  const words = below?.total ?? (holdsSome ? total : undefined);
  const isLong = below !== undefined && below.total === undefined && below.count > mostBelow;
  const { count = 0, line = row.line } = isLong && words !== undefined ? {} : (below ?? {});
  return { count: count + 1, line, ...(words === undefined ? {} : { total: words }) };
}

/** A whole row without anything in these cells. */
function holdsNothing({ problem, names, values }: SourceRow, positions: readonly number[]): boolean {
  if (problem !== undefined || values.length < names.length) return false;
  return positions.every((index) => isEmptyCell(values[index]));
}

function garbledIn(
  { names, values, line }: SourceRow,
  positions: readonly number[],
  { encoding }: Source,
): Survey["garbled"] {
  for (const index of positions) {
    const value = values[index];
    if (typeof value === "string" && isGarbled(value, encoding))
      return { line, column: names[index] ?? "", value: excerpt(value) };
  }
  return undefined;
}

function incompleteIn(last: SourceRow | undefined, { format }: Source): Pick<Survey, "incomplete"> {
  if (last === undefined) return {};
  const { line, names, values, problem } = last;
  if (problem !== undefined) return { incomplete: { line, reason: problem } };
  if (format !== "csv" || values.length >= names.length) return {};
  const reason = `has ${values.length} cells, the header ${names.length}`;
  return { incomplete: { line, reason } };
}
