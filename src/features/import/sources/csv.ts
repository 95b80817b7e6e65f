import { restoreCell, textOfFormula } from "../../../base/formulas.js";
import { BulkError } from "../../../write/errors.js";
import { type CsvLayout, isEmptyRecord, isSpacedLine } from "./csv-layout.js";
import { type CsvRecord, lineCount, recordsIn } from "./csv-records.js";
import { formulaError, isFormulaError } from "./formula-errors.js";
import { headerRowNotFound } from "./layout.js";
import type { SourceRow } from "./types.js";

/**
 * Yields the records, and at the end the header, of a CSV or TSV text with the detected layout.
 * Removes an apostrophe that prevents formulas in spreadsheets, except in a file that `export` writes without
 * `--excel`, which contains the data verbatim: with commas, in UTF-8 without a mark.
 * Supports quotes, line breaks in quotes and ragged rows. Skips empty lines and rows of empty cells.
 * @param layout.marked whether the file starts with a byte order mark, or is not UTF-8
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
      const fault = quotingFault(record, begin, names.length, layout);
      const problem = fault ?? surplusOf(cells, names.length);
      // Empty cells after the last header cell are not part of the table.
      const whole =
        problem === undefined && cells.length > names.length ? cells.slice(0, names.length) : cells;
      const texts = whole.map(textOfFormula);
      const values = marked || delimiter !== "," ? texts.map(restoreCell) : texts;
      rows.push({
        ...{ number, line: begin, names, values, ...lostIn(values, record.stray) },
        ...(problem === undefined ? {} : { problem }),
        ...(fault !== undefined && lineCount(record) > 1 ? { hidesRows: true } : {}),
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

/** Keeps the last row back until the file ends: an incomplete row is not returned. */
function lastHeldBack() {
  let held: SourceRow | undefined;
  // Some programs omit empty cells at the end of a row.
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
      const cells = values.length === 1 ? "1 cell" : `${values.length} cells`;
      const problem = `is the last row and has ${cells}, the header ${names.length}: the file looks cut; if it is not, give the row its empty cells`;
      return [isShort ? { problem, ...held } : held];
    },
  };
}

/**
 * Returns the cells whose value was lost before the file was written, or is ambiguous because of its quotes,
 * with reasons.
 */
function lostIn(cells: readonly string[], stray: readonly number[] = []): Pick<SourceRow, "unreadable"> {
  if (stray.length === 0 && !cells.some(isFormulaError)) return {};
  return {
    unreadable: new Map([
      ...cells.flatMap((cell, index) => (isFormulaError(cell) ? [[index, formulaError] as const] : [])),
      ...stray.map((index) => [index, strayQuote] as const),
    ]),
  };
}

const strayQuote =
  'has a quote that opens or closes nothing: put the cell in quotes, and write "" for a quote';

/** Why the quotes of a record don't separate its cells with certainty. */
function quotingFault(
  record: CsvRecord,
  begin: number,
  columns: number,
  layout: CsvLayout,
): string | undefined {
  const last = begin + lineCount(record) - 1;
  const lineRange = last === begin ? "" : ` (lines ${begin} to ${last})`;
  if (record.fault === "open") return "a quote is opened and never closed";
  if (record.fault === "inside") return `a quote inside a quoted cell is not doubled${lineRange}`;
  return last > begin && hidesRows(record, columns, layout)
    ? `a quoted cell contains whole rows${lineRange}: check the quote that opens it`
    : undefined;
}

/**
 * Returns whether the lines of a quoted cell look like rows, with the same number of delimiters in each. Then
 * a quote was opened by mistake.
 */
function hidesRows(
  { raw = "" }: CsvRecord,
  columns: number,
  { dialect: { delimiter }, width, isSpaced }: CsvLayout,
): boolean {
  const isRow = (line: string) => {
    const cells = line.split(delimiter).length;
    if (cells < 2 || (cells !== columns && cells !== width)) return false;
    return isSpaced || !isSpacedLine(line, delimiter);
  };
  const lines = raw.split("\n").map(isRow);
  return lines.slice(1, -1).includes(true) || (lines.at(0) === true && lines.at(-1) === true);
}

function surplusOf(cells: readonly string[], columns: number): string | undefined {
  return cells.slice(columns).some((cell) => cell.trim() !== "")
    ? `has ${cells.length} cells, the header ${columns}: is a delimiter in a cell without quotes around it?`
    : undefined;
}

function headerNames(record: CsvRecord, name: string, layout: CsvLayout): readonly string[] {
  const names = record.cells.map((cell) => cell.trim());
  const fault = quotingFault(record, layout.headerLine, names.length, layout);
  if (fault !== undefined)
    throw new BulkError("quoting_unclear", `${name}: the header, line ${layout.headerLine}: ${fault}`);
  while (names.at(-1) === "") names.pop();
  if (names.length > 1_000)
    throw new BulkError("not_a_table", `${name} has more than 1,000 columns: is it a CSV file?`);
  return names;
}
