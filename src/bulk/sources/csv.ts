import { BulkError } from "../errors.js";
import { formulaError, isFormulaError } from "./formula-errors.js";
import { restoreCell, textOfFormula } from "./formulas.js";
import { firstRows, headerOf, type LayoutOptions, noHeaderThere, type RawRow } from "./layout.js";
import type { SourceRow } from "./types.js";

/** A record longer than this is a quote that was opened and never closed. */
const recordLimit = 4 * 1024 * 1024;
const sampleCharacters = 64 * 1024;
const delimiters = [";", ",", "\t", "|"] as const;

interface Parsed {
  data: string[][];
  errors: { code?: string; row?: number }[];
  meta: { cursor: number };
}

/**
 * The records, and at the end the header, of a CSV or TSV text, as it is laid out.
 * An apostrophe that keeps a spreadsheet from running a cell is taken away, but in a file as `export` writes it without
 * `--excel`, which holds the data as they are: by commas, as UTF-8 without a mark.
 * Quotes, line breaks in quotes and ragged rows are dealt with; empty lines, and rows of empty cells, are no records.
 * @param source.marked the file begins with a byte order mark, or is not UTF-8
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  name: string,
  { marked, delimiter, headerLine, skipRows, hintLines }: { marked: boolean } & CsvLayout,
): AsyncGenerator<SourceRow, readonly string[]> {
  const parse = await parser();
  let isFirst = true;
  let names: readonly string[] | undefined;
  let number = 0;
  let line = 1;

  const records = (input: string, whole: boolean): { rows: SourceRow[]; rest: string } => {
    const rows: SourceRow[] = [];
    if (isFirst && hintLines > 0) {
      line += 1;
      input = input.slice(input.indexOf("\n") + 1);
    }
    isFirst = false;
    const { data, errors, meta } = parse(input, delimiter, whole);
    const problems = new Map(errors.map((error) => [error.row, error.code]));
    for (const [index, cells] of data.entries()) {
      const begin = line;
      line += 1 + lineBreaksIn(cells);
      if (isEmptyRecord(cells)) continue;
      if (names === undefined && begin < headerLine) continue;
      if (names === undefined) {
        if (begin !== headerLine) throw noHeaderThere(name, headerLine);
        names = headerNames(cells, name);
        continue;
      }
      if (begin <= skipRows) continue;
      number += 1;
      const problem = problemOf(cells, names.length, problems.get(index), line - begin > 1);
      // Empty cells behind the header's last are no part of the table.
      const whole =
        problem === undefined && cells.length > names.length ? cells.slice(0, names.length) : cells;
      const texts = whole.map(textOfFormula);
      const values = marked || delimiter !== "," ? texts.map(restoreCell) : texts;
      const row = { number, line: begin, names, values, ...lostIn(values) };
      rows.push(problem === undefined ? row : { ...row, problem });
    }
    return { rows, rest: input.slice(meta.cursor) };
  };

  const held = lastHeldBack();
  let rest = "";
  let hasLineEnd = true;
  for await (const piece of text) {
    rest += piece;
    if (piece !== "") hasLineEnd = piece.endsWith("\n");
    if (isFirst && rest.length < sampleCharacters) continue;
    const read = records(rest, false);
    for (const row of held.pass(read.rows)) yield row;
    rest = read.rest;
    if (rest.length > recordLimit) throw unclosed(name, line);
  }
  if (rest !== "") yield* held.pass(records(rest, true).rows);
  yield* held.last(hasLineEnd);
  if (names === undefined) throw noHeaderThere(name, headerLine);
  return names;
}

/** Holds the last row back until the file is over: one that is not whole is no row of it. */
function lastHeldBack() {
  let held: SourceRow | undefined;
  // Some programs leave out empty cells at a row's end.
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

/** How a CSV file is laid out. */
export interface CsvLayout {
  delimiter: string;
  headerLine: number;
  skipRows: number;
  /** 1 where its first line is Excel's own hint, `sep=;`. */
  hintLines: number;
}

async function parser(): Promise<
  (input: string, delimiter: string, whole: boolean, preview?: number) => Parsed
> {
  const { default: Papa } = await import("papaparse");
  return (input, delimiter, whole, preview = 0) =>
    new Papa.Parser({ delimiter, newline: "\n", preview }).parse(input, 0, !whole);
}

/**
 * Finds out a CSV file's delimiter and header.
 * @param start as many of its first characters as are needed
 * @throws BulkError for a file without a row
 */
export async function csvLayout(start: string, name: string, options: LayoutOptions): Promise<CsvLayout> {
  const parse = await parser();
  const hint = /^sep=(.)\n/i.exec(start);
  const text = start.slice(hint?.[0].length ?? 0);
  const hintLines = hint === null ? 0 : 1;
  const delimiter =
    options.delimiter ??
    hint?.[1] ??
    findDelimiter((sample, candidate) => parse(sample, candidate, false, 50).data, text);
  function* rows(): Generator<RawRow, void> {
    let line = 1 + hintLines;
    for (const cells of parse(`${text}\n`, delimiter, true, 200).data) {
      yield { line, cells };
      line += 1 + lineBreaksIn(cells);
    }
  }
  const { line } = headerOf(firstRows(rows(), options), options, name);
  return { delimiter, headerLine: line, skipRows: options.skipRows ?? 0, hintLines };
}

/** The start of a text, as much as finding out its layout takes. */
export async function startOfText(text: AsyncIterable<string>): Promise<string> {
  let start = "";
  for await (const piece of text) {
    start += piece;
    if (start.length >= sampleCharacters) break;
  }
  return start;
}

/** Cells whose value was lost before the file was written, with why. */
function lostIn(cells: readonly string[]): Pick<SourceRow, "unreadable"> {
  if (!cells.some(isFormulaError)) return {};
  const lost = cells.flatMap((cell, index) => (isFormulaError(cell) ? [[index, formulaError] as const] : []));
  return { unreadable: new Map(lost) };
}

function problemOf(
  cells: readonly string[],
  columns: number,
  code: string | undefined,
  manyLines: boolean,
): string | undefined {
  if (code === "MissingQuotes") return "a quote is opened and never closed";
  // "Dr. "Doc" Huber" within one line is understood; over several, rows may have been taken for one cell.
  if (code === "InvalidQuotes" && manyLines)
    return "a quote stands inside a quoted cell; it has to be doubled";
  if (cells.slice(columns).some((cell) => cell.trim() !== "")) {
    return `has ${cells.length} cells, the header ${columns}: is a delimiter in a cell without quotes around it?`;
  }
  return undefined;
}

function isEmptyRecord(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

function headerNames(cells: readonly string[], name: string): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === "") names.pop();
  if (names.length > 1_000)
    throw new BulkError("not_a_table", `${name} has more than 1,000 columns: is it a CSV file?`);
  return names;
}

/**
 * The delimiter under which most of the first rows have as many cells as the header; with a tie, the most cells. Under
 * a title, which is no header, that under which most rows are of one width.
 */
function findDelimiter(rowsOf: (sample: string, delimiter: string) => string[][], text: string): string {
  const sample = `${text.slice(0, sampleCharacters)}\n`;
  let best: Candidate | undefined;
  let below: Candidate | undefined;
  for (const delimiter of delimiters) {
    const [header, ...rows] = rowsOf(sample, delimiter).filter((cells) =>
      cells.some((cell) => cell.trim() !== ""),
    );
    const agreeing = (width: number): Candidate => ({
      delimiter,
      width,
      agreement: rows.length === 0 ? 1 : rows.filter((cells) => cells.length === width).length / rows.length,
    });
    best = better(best, agreeing(header?.length ?? 0));
    for (const width of new Set(rows.map((cells) => cells.length))) below = better(below, agreeing(width));
  }
  const found = best && best.agreement > 0 ? best : (below ?? best);
  return found?.delimiter ?? ",";
}

interface Candidate {
  delimiter: string;
  /** Share of the rows that have as many cells. */
  agreement: number;
  width: number;
}

function better(best: Candidate | undefined, one: Candidate): Candidate | undefined {
  if (one.width < 2) return best;
  const isBetter =
    best === undefined ||
    one.agreement > best.agreement ||
    (one.agreement === best.agreement && one.width > best.width);
  return isBetter ? one : best;
}

function lineBreaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf("\n"); at >= 0; at = cell.indexOf("\n", at + 1)) count += 1;
  }
  return count;
}

function unclosed(name: string, line: number): BulkError {
  return new BulkError(
    "quote_not_closed",
    `${name}: the quote in the record that begins in line ${line} is never closed`,
    'close it, or double it ("") if it belongs to the text',
  );
}
