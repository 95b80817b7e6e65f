import { restoreCell, textOfFormula } from "../../../base/formulas.js";
import { formatCount } from "../../../base/text.js";
import { BulkError } from "../../../write/errors.js";
import { type CsvLayout, isEmptyRecord, isSpacedLine } from "./csv-layout.js";
import { type CsvRecord, lineCount, recordsIn } from "./csv-records.js";
import { formulaError, isFormulaError } from "./formula-errors.js";
import { headerRowNotFound } from "./layout.js";
import { errorColumn, findSurplus } from "./surplus.js";
import type { SourceRow } from "./types.js";

/**
 * Removes the apostrophe that keeps a spreadsheet from running a cell as a formula, except in unmarked files
 * with commas, because `export` writes data verbatim to such files.
 * @param layout.marked whether the file starts with a byte order mark, or is not UTF-8
 * @returns the header
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  name: string,
  layout: { marked: boolean } & CsvLayout,
): AsyncGenerator<SourceRow, readonly string[]> {
  const { marked, dialect, headerLine, skipRows, hintLines } = layout;
  const { delimiter } = dialect;
  let names: readonly string[] | undefined;
  let number = 0;
  let line = 1;
  let hasLineEnd = true;
  async function* watched(): AsyncGenerator<string, void> {
    for await (const piece of text) {
      if (piece !== "") hasLineEnd = piece.endsWith("\n");
      yield piece;
    }
  }
  const rowsIn = (records: readonly CsvRecord[]): SourceRow[] => {
    const rows: SourceRow[] = [];
    for (const record of records) {
      const begin = line;
      line += lineCount(record);
      const { cells } = record;
      if (begin <= hintLines || isEmptyRecord(record)) continue;
      if (names === undefined && begin < headerLine) continue;
      if (names === undefined) {
        if (begin !== headerLine) throw headerRowNotFound(name, headerLine);
        names = headerNames(record, name, layout);
        continue;
      }
      if (begin <= skipRows) continue;
      number += 1;
      const fault = quotingFault(record, begin, names, layout);
      const surplus = findSurplus(cells, names);
      const problem = fault ?? (surplus && `${surplus}: quote any cell that contains the delimiter`);
      // Ignore empty cells after the header's last column.
      const whole =
        problem === undefined && cells.length > names.length ? cells.slice(0, names.length) : cells;
      const texts = whole.map(textOfFormula);
      const values = marked || delimiter !== "," ? texts.map(restoreCell) : texts;
      rows.push({
        ...{ number, line: begin, names, values, ...lostIn(values, record.stray) },
        ...(problem === undefined ? {} : { problem }),
        ...(fault !== undefined && lineCount(record) > 1 ? { hidesRows: true } : {}),
        ...(fault === undefined && record.stray === undefined ? {} : { written: record.written ?? [] }),
      });
    }
    return rows;
  };

  const held = lastHeldBack();
  for await (const records of recordsIn(watched(), dialect, name)) yield* held.pass(rowsIn(records));
  yield* held.last(hasLineEnd);
  if (names === undefined) throw headerRowNotFound(name, headerLine);
  return names;
}

/** Only the last row of a file can be truncated. */
function lastHeldBack() {
  let held: SourceRow | undefined;
  // Smallest number of cells in a row. Some programs omit empty cells at the end of a row.
  let fewest = Number.POSITIVE_INFINITY;
  return {
    pass(rows: readonly SourceRow[]): SourceRow[] {
      const passed = held === undefined ? [...rows] : [held, ...rows];
      held = passed.pop();
      for (const { values } of passed) fewest = Math.min(fewest, values.length);
      return passed;
    },
    last(hasLineEnd: boolean): SourceRow[] {
      if (held === undefined) return [];
      const { values, names } = held;
      const isShort = values.length < names.length && !(hasLineEnd && fewest <= values.length);
      const cells = formatCount(values.length, "cell");
      const problem = `is the last row and has ${cells} instead of ${names.length}: the file looks truncated; if it is complete, add empty cells`;
      return [isShort ? { problem, isTruncated: true, ...held } : held];
    },
  };
}

function lostIn(cells: readonly string[], stray: readonly number[] = []): Pick<SourceRow, "unreadable"> {
  if (stray.length === 0 && !cells.some(isFormulaError)) return {};
  return {
    unreadable: new Map([
      ...cells.flatMap((cell, index) => (isFormulaError(cell) ? [[index, formulaError] as const] : [])),
      ...stray.map((index) => [index, strayQuote] as const),
    ]),
  };
}

const strayQuote = 'has a stray quote: enclose the cell in quotes, and write "" for each quote inside it';

function quotingFault(
  record: CsvRecord,
  begin: number,
  names: readonly string[],
  layout: CsvLayout,
): string | undefined {
  const last = begin + lineCount(record) - 1;
  const lineRange = last === begin ? "" : ` (lines ${begin} to ${last})`;
  if (record.fault === "open") return "a quote is never closed";
  if (record.fault === "inside") return `a quote inside a quoted cell is not doubled${lineRange}`;
  return last > begin && hidesRows(record, names, layout)
    ? `a quoted cell contains several rows${lineRange}: check the cell's opening quote; if the quote is correct, quote every cell of the row`
    : undefined;
}

/**
 * Returns whether a quoted cell contains lines that look like other rows, so that its opening quote is
 * probably a mistake. If a record has as many cells as the header, its quotes are a mistake only if the lines
 * with the cell's first and last quote look like rows.
 */
function hidesRows(
  { written = [] }: CsvRecord,
  names: readonly string[],
  { dialect: { delimiter, quote }, width, isSpaced }: CsvLayout,
): boolean {
  const fits = written.length === names.length;
  // If every cell is quoted, the quotes are intended. Exports that quote every cell can contain line breaks.
  const isQuoted = (cell: string) => cell.trimStart().startsWith(quote);
  if (written.length > 1 && fits && written.every(isQuoted)) return false;
  // In a rejects file, only the last line of a record ends with the error.
  const widths = [names.length, width, ...(names.at(-1) === errorColumn ? [names.length - 1] : [])];
  const isRow = (line: string, otherCells: number) => {
    const count = line.split(delimiter).length + otherCells;
    if (count < 2 || !widths.includes(count)) return false;
    return isSpaced || !isSpacedLine(line, delimiter);
  };
  return written.some((cell, index) => {
    if (!cell.includes("\n") || (fits && !cell.includes(delimiter))) return false;
    const lines = cell.split("\n");
    const last = lines.length - 1;
    const cellsAfter = written.length - 1 - index;
    const rows = lines.map((line, at) => isRow(line, at === 0 ? index : at === last ? cellsAfter : 0));
    if (rows.at(0) === true && rows.at(-1) === true) return true;
    return !fits && rows.slice(1, -1).includes(true);
  });
}

function headerNames(record: CsvRecord, name: string, layout: CsvLayout): readonly string[] {
  const names = record.cells.map((cell) => cell.trim());
  const fault = quotingFault(record, layout.headerLine, names, layout);
  if (fault !== undefined)
    throw new BulkError("quoting_unclear", `${name}: header on line ${layout.headerLine}: ${fault}`);
  while (names.at(-1) === "") names.pop();
  if (names.length > 1_000)
    throw new BulkError("not_a_table", `${name} has more than 1,000 columns and is probably not a CSV file`);
  return names;
}
