import { excerpt } from "../values.js";
import type { Source, SourceRow } from "./types.js";

/** The facts about a file as a whole that one look through it shows. */
export interface Survey {
  /** Without those below the list. */
  rows: number;
  /** Rows below the list that hold nothing which is read, as a total does: so many, and the first one's line. */
  below: { count: number; line: number } | undefined;
  /** Has this column a value in less than half of the rows? Then an empty cell of it says nothing (S0). */
  isSparse(names: readonly string[], index: number): boolean;
  /** The first name that was decoded wrongly, as it seems. */
  garbled?: { line: number; column: string; value: string };
  /** The last row is not whole: a file that was cut looks so. */
  incomplete?: { line: number; reason: string };
  /** The first rows, as they stand there. */
  first: readonly SourceRow[];
}

const rowsShown = 3;
/** No more rows than these are taken for a total and its remarks: what is left out is no data of the list. */
const mostBelow = 3;

/** Control characters that no text has, and marks that stand within no word. */
const control = /[\u0080-\u009f]/;
const openingQuote = /\p{L}\u2018\p{L}/u;
/** The signs of other code pages in the positions of Windows-1252's own. */
const strange = /\p{L}[„“”†‡‰‹›™ˆ˜¸…]\p{L}/u;

/** Does a cell hold nothing? */
export function isEmptyCell(cell: unknown): boolean {
  if (Array.isArray(cell)) return cell.every(isEmptyCell);
  return cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

/** Positions of cells, by the names of the columns. */
type Positions = (names: readonly string[]) => readonly number[];

/**
 * Looks through a file once.
 * @param options.namesAt the cells that hold people's names, which tell whether a text was decoded rightly
 * @param options.readAt all cells that are read: a table may end with rows that have nothing in them
 */
export async function surveyFile(
  source: Source,
  { namesAt = () => [], readAt }: { namesAt?: Positions; readAt?: Positions } = {},
): Promise<Survey> {
  let rows = 0;
  const filled = new Map<string, number>();
  // Objects may have their fields in any order.
  const isTable = source.format === "csv" || source.format === "xlsx";
  const key = (names: readonly string[], index: number) => `${isTable ? index : ""}:${names[index] ?? ""}`;
  let garbled: Survey["garbled"];
  let last: SourceRow | undefined;
  const first: SourceRow[] = [];
  let below: Survey["below"];
  for await (const row of source.rows()) {
    rows += 1;
    last = row;
    if (first.length < rowsShown) first.push(row);
    const isBelow = isTable && readAt !== undefined && rows > 1 && holdsNothing(row, readAt(row.names));
    below = isBelow ? { count: (below?.count ?? 0) + 1, line: below?.line ?? row.line } : undefined;
    if (row.problem !== undefined) continue;
    for (const [index, value] of row.values.entries()) {
      if (isEmptyCell(value)) continue;
      const column = key(row.names, index);
      filled.set(column, (filled.get(column) ?? 0) + 1);
    }
    garbled ??= garbledIn(row, namesAt(row.names), source);
  }
  if (below !== undefined && below.count > mostBelow) below = undefined;
  rows -= below?.count ?? 0;
  return {
    rows,
    below,
    isSparse: (names, index) => (filled.get(key(names, index)) ?? 0) * 2 < rows,
    first,
    ...(garbled === undefined ? {} : { garbled }),
    ...incompleteIn(last, source),
  };
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
  const isUnicode = encoding.startsWith("utf");
  for (const index of positions) {
    const value = values[index];
    if (typeof value !== "string") continue;
    if (control.test(value) || openingQuote.test(value) || (!isUnicode && strange.test(value)))
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
