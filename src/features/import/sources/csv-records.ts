import { BulkError } from "../../../write/errors.js";

/** Maximum number of characters in a record. In a longer record, a quote was probably never closed. */
const recordLimit = 4 * 1024 * 1024;

export interface Dialect {
  delimiter: string;
  quote: '"' | "'";
  /** Whether a backslash escapes a quote, a delimiter, a line ending or another backslash. */
  escapes: boolean;
}

export interface CsvRecord {
  cells: string[];
  /** The record as written, if it contains quotes or escapes. */
  raw?: string;
  /** Cells as written, if the record has a quoting error or a line break. */
  written?: readonly string[];
  fault?: "open" | "inside";
  /** Positions of unquoted cells with an unbalanced quote. */
  stray?: readonly number[];
  escaped?: boolean;
}

interface Cell {
  text: string;
  /** Position of what follows the cell: the delimiter, the line ending or the end of the text. */
  end: number;
  fault?: CsvRecord["fault"];
  isStray?: boolean;
}

/** @throws BulkError for a record that is too long */
export async function* recordsIn(
  text: AsyncIterable<string>,
  dialect: Dialect,
  name: string,
): AsyncGenerator<CsvRecord[], void> {
  let remainder = "";
  let line = 1;
  for await (const piece of text) {
    remainder += piece;
    const { records, end } = readRecords(remainder, dialect, false);
    remainder = remainder.slice(end);
    for (const record of records) line += lineCount(record);
    if (remainder.length > recordLimit) throw unclosed(name, line);
    yield records;
  }
  if (remainder !== "") yield readRecords(remainder, dialect, true).records;
}

/**
 * @param isLast whether this is the last piece, whose last record can lack a line ending
 * @param most maximum number of records
 * @returns the records, and their total number of characters
 */
export function readRecords(
  input: string,
  dialect: Dialect,
  isLast: boolean,
  most = Number.POSITIVE_INFINITY,
): { records: CsvRecord[]; end: number } {
  const records: CsvRecord[] = [];
  let at = 0;
  while (at < input.length && records.length < most) {
    const lineEnd = input.indexOf("\n", at);
    if (lineEnd < 0 && !isLast) break;
    const line = input.slice(at, lineEnd < 0 ? input.length : lineEnd);
    if (!line.includes(dialect.quote) && !(dialect.escapes && line.includes("\\"))) {
      records.push({ cells: line.split(dialect.delimiter) });
      at += line.length + 1;
      continue;
    }
    const quoted = readRecord(input, at, dialect, isLast);
    if (quoted === undefined) break;
    records.push(quoted.record);
    at = quoted.end + 1;
  }
  return { records, end: Math.min(at, input.length) };
}

export function lineCount({ raw }: CsvRecord): number {
  return raw === undefined ? 1 : raw.split("\n").length;
}

/** Reads the next record; returns undefined if the text ends within it. */
function readRecord(
  input: string,
  start: number,
  dialect: Dialect,
  isLast: boolean,
): { record: CsvRecord; end: number } | undefined {
  const cells: string[] = [];
  const ends: number[] = [];
  const stray: number[] = [];
  let fault: CsvRecord["fault"];
  let at = start;
  for (;;) {
    const cell = readCell(input, { start, at }, dialect, isLast);
    if (cell === undefined) return undefined;
    if (cell.isStray === true) stray.push(cells.length);
    cells.push(cell.text);
    ends.push(cell.end);
    fault ??= cell.fault;
    if (input.startsWith(dialect.delimiter, cell.end)) {
      at = cell.end + dialect.delimiter.length;
      continue;
    }
    const raw = input.slice(start, cell.end);
    const escaped = dialect.escapes && escapedIn(dialect).test(raw);
    const isPlain = fault === undefined && stray.length === 0 && !raw.includes("\n");
    return {
      end: cell.end,
      record: {
        ...{ cells, raw, escaped },
        ...(fault === undefined ? {} : { fault }),
        ...(stray.length === 0 ? {} : { stray }),
        ...(isPlain ? {} : { written: cellsAsWritten(input, start, ends, dialect) }),
      },
    };
  }
}

function cellsAsWritten(
  input: string,
  start: number,
  ends: readonly number[],
  { delimiter }: Dialect,
): string[] {
  let begin = start;
  return ends.map((end) => {
    const cell = input.slice(begin, end);
    begin = end + delimiter.length;
    return cell;
  });
}

function readCell(
  input: string,
  position: { start: number; at: number },
  dialect: Dialect,
  isLast: boolean,
): Cell | undefined {
  const open = skipSpaces(input, position.at, dialect);
  if (open < input.length && input[open] === dialect.quote)
    return readQuotedCell(input, { start: position.start, open }, dialect, isLast);
  let end = position.at;
  while (end < input.length && !endsCell(input, end, dialect)) end += isEscape(input, end, dialect) ? 2 : 1;
  if (end >= input.length && !isLast) return undefined;
  end = Math.min(end, input.length);
  const written = input.slice(position.at, end);
  return { text: resolve(written, dialect), end, isStray: hasStrayQuote(written, dialect) };
}

function readQuotedCell(
  input: string,
  { start, open }: { start: number; open: number },
  dialect: Dialect,
  isLast: boolean,
): Cell | undefined {
  const { quote } = dialect;
  let at = open + 1;
  let inside: number | undefined;
  for (;;) {
    const next = nextQuote(input, at, dialect);
    if (inside !== undefined) {
      const confined = endOfLine(input, { start, inside, next }, quote, isLast);
      if (confined !== undefined)
        return { text: input.slice(open + 1, confined), end: confined, fault: "inside" };
    }
    const after = next < 0 ? input.length : skipSpaces(input, next + 1, dialect);
    if (after >= input.length && !isLast) return undefined;
    if (next < 0) return { text: input.slice(open + 1), end: input.length, fault: "open" };
    if (input[next + 1] === quote) at = next + 2;
    else if (after >= input.length || endsCell(input, after, dialect)) {
      const written = input.slice(open + 1, next);
      const isClear = inside === undefined || isReadableAsWritten(written, dialect);
      return {
        text: inside === undefined ? resolve(written, dialect, true) : written,
        end: Math.min(after, input.length),
        ...(isClear ? {} : { fault: "inside" }),
      };
    } else {
      inside ??= next;
      at = next + 1;
    }
  }
}

/**
 * Returns the end of the record's first line if a stray quote would otherwise extend a cell to later lines.
 */
function endOfLine(
  input: string,
  { start, inside, next }: { start: number; inside: number; next: number },
  quote: string,
  isLast: boolean,
): number | undefined {
  const lineEnd = input.indexOf("\n", start);
  const end = lineEnd < 0 ? input.length : lineEnd;
  if (inside > end || (next >= 0 && next < end) || (lineEnd < 0 && !isLast)) return undefined;
  return (input.slice(start, end).split(quote).length - 1) % 2 === 0 ? end : undefined;
}

function nextQuote(input: string, from: number, dialect: Dialect): number {
  if (!dialect.escapes) return input.indexOf(dialect.quote, from);
  let at = from;
  while (at < input.length && input[at] !== dialect.quote) at += input[at] === "\\" ? 2 : 1;
  return at < input.length ? at : -1;
}

const spaces = new Set([" ", "\t", "\u00a0", "\u202f", "\u3000"]);

function skipSpaces(input: string, from: number, { delimiter }: Dialect): number {
  let at = from;
  while (spaces.has(input.charAt(at)) && !input.startsWith(delimiter, at)) at += 1;
  return at;
}

function endsCell(input: string, at: number, { delimiter }: Dialect): boolean {
  const character = input[at];
  return character === "\n" || (character === delimiter[0] && input.startsWith(delimiter, at));
}

function isEscape(input: string, at: number, { escapes }: Dialect): boolean {
  return escapes && input[at] === "\\";
}

/** Doesn't match two backslashes, which may also be text, as in a network path. */
function escapedIn({ delimiter, quote }: Dialect): RegExp {
  return new RegExp(`\\\\(?:[${quote}\\n]|${literally(delimiter)})`);
}

function resolve(written: string, { delimiter, quote, escapes }: Dialect, isQuoted = false): string {
  if (!escapes) return isQuoted ? written.replaceAll(quote + quote, quote) : written;
  const pattern = new RegExp(`\\\\([\\\\${quote}\\n]|${literally(delimiter)})|${quote}(${quote})`, "g");
  return written.replace(pattern, (whole, escaped?: string, doubled?: string) =>
    escaped === undefined && !isQuoted ? whole : (escaped ?? doubled ?? whole),
  );
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Returns whether a quoted cell is unambiguous although it contains quotes, as in `Dr. "Doc" Huber`. */
function isReadableAsWritten(written: string, dialect: Dialect): boolean {
  const { delimiter, quote } = dialect;
  const isSingleCell = !written.includes("\n") && !written.includes(delimiter);
  return isSingleCell && !written.includes(quote + quote) && !hasStrayQuote(written, dialect);
}

/**
 * Returns whether a cell contains a quote. Ignores inches (`5"`), strings in formulas (`="0123"`) and
 * apostrophes in names.
 */
function hasStrayQuote(written: string, { quote, escapes }: Dialect): boolean {
  if (!written.includes(quote)) return false;
  const text = escapes ? written.replace(/\\[\s\S]/g, "") : written;
  if (quote === "'") return /(?<!\p{L})'|'(?!\p{L})/u.test(text);
  return text
    .replace(/(?<![\p{L}\p{N}])"[^"]*"(?![\p{L}\p{N}])/gu, "")
    .replace(/\d"/g, "")
    .includes('"');
}

function unclosed(name: string, line: number): BulkError {
  return new BulkError(
    "quote_not_closed",
    `${name}: the record that starts on line ${line} has a quote that is never closed`,
    'close the quote; if the quote is part of the text, write ""',
  );
}
