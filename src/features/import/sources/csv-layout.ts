import { BulkError } from "../../../write/errors.js";
import { type CsvRecord, type Dialect, lineCount, readRecords, recordsIn } from "./csv-records.js";
import { firstRows, headerOf, type LayoutOptions, type RawRow } from "./layout.js";
import { errorColumn } from "./surplus.js";

const sampleCharacters = 64 * 1024;
const sampleRecords = 50;
const shapeRecords = 200;
const delimiters = [";", ",", "\t", "|"] as const;

/** Matches the header of a rejects file, because the delimiter can't always be detected from its rows. */
const rejectsHeader = new RegExp(`^.*([;,\\t|])["']?${errorColumn}["']?\\n`);

export interface CsvLayout {
  dialect: Dialect;
  headerLine: number;
  skipRows: number;
  /** 1 if the first line specifies the delimiter for Excel, such as `sep=;`; otherwise 0. */
  hintLines: number;
  /** Number of cells in most rows. */
  width: number;
  /**
   * Whether a space follows every delimiter in at least half of the rows. If not, a line with a space after
   * every delimiter is probably prose and not a row.
   */
  isSpaced: boolean;
}

/**
 * @param whole returns the whole text, to determine whether backslashes are escapes; undefined if the text
 * contains no backslashes
 * @throws BulkError if the file has no rows
 */
export async function csvLayout(
  start: string,
  name: string,
  options: LayoutOptions,
  whole: (() => AsyncIterable<string>) | undefined,
): Promise<CsvLayout> {
  const hint = /^sep=(.)\n/i.exec(start);
  const text = `${start.slice(hint?.[0].length ?? 0)}\n`;
  const hintLines = hint === null ? 0 : 1;
  const givenDelimiter = options.delimiter ?? hint?.[1] ?? rejectsHeader.exec(text)?.[1];
  const escaping = whole === undefined ? [false] : [false, true];
  const detect = (quote: Dialect["quote"]): Dialect =>
    detectDelimiter(
      text,
      (givenDelimiter === undefined ? delimiters : [givenDelimiter]).flatMap((delimiter) =>
        escaping.map((escapes) => ({ delimiter, quote, escapes })),
      ),
    );
  const single = text.includes("'") ? detect("'") : undefined;
  const detected = single !== undefined && isInSingleQuotes(sampleOf(text, single)) ? single : detect('"');
  const layoutOf = (dialect: Dialect) => {
    const rows = [...rowsOf(text, dialect, hintLines)];
    const { line } = headerOf(firstRows(rows, options), options, name);
    assertUnquotedTable(rows.find((row) => row.line === line)?.record, dialect, options, name);
    return { headerLine: line, skipRows: options.skipRows ?? 0, hintLines, ...shapeOf(rows, line, dialect) };
  };
  const layout = layoutOf(detected);
  if (whole === undefined) return { dialect: detected, ...layout };
  const candidate = { ...detected, escapes: true };
  const plain = await countMisfits(whole(), { ...detected, escapes: false }, layout, name);
  const escaped = await countMisfits(whole(), candidate, layoutOf(candidate), name);
  const escapes = escaped.hasEscapes && escaped.misfits <= plain.misfits;
  const dialect = { ...detected, escapes };
  return { dialect, ...layoutOf(dialect) };
}

/** @throws BulkError if quotes or the delimiter make each line, or the whole table, a single cell */
function assertUnquotedTable(
  header: CsvRecord | undefined,
  dialect: Dialect,
  { knownColumns = () => 0 }: LayoutOptions,
  name: string,
): void {
  const [cell = "", ...moreCells] = header?.cells ?? [];
  if (moreCells.some((more) => more !== "")) return;
  const [first = "", ...lines] = cell.split("\n");
  const separator = delimiters.find((delimiter) => {
    const cells = first.split(delimiter);
    // A single column may be named `Name, Vorname`, so a comma must separate at least three cells.
    return cells.length > (delimiter === "," ? 2 : 1) && knownColumns(cells) > 0;
  });
  if (lines.length < 2 && separator === undefined) return;
  if (header?.raw === undefined)
    throw new BulkError(
      "delimiter_unclear",
      `with the delimiter ${JSON.stringify(dialect.delimiter)}, the header of ${name} has only one column`,
      `separate the cells of all lines with the same delimiter, and specify it: --delimiter ${nameOf(separator)}`,
      { hintFlag: "--delimiter" },
    );
  const what = lines.length === 0 ? "quotes around each line" : "quotes around the whole table";
  throw new BulkError("quoting_unclear", `${name} has ${what}`, "remove these quotes");
}

function nameOf(delimiter: string | undefined): string {
  return delimiter === "\t" ? "tab" : `"${delimiter}"`;
}

export async function startOfText(text: AsyncIterable<string>): Promise<string> {
  let start = "";
  for await (const piece of text) {
    start += piece;
    if (start.length >= sampleCharacters) break;
  }
  return start;
}

export function isEmptyRecord({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell.trim() === "");
}

function sampleOf(text: string, dialect: Dialect): CsvRecord[] {
  const { records } = readRecords(text, dialect, true, sampleRecords);
  return records.filter((record) => !isEmptyRecord(record));
}

function* rowsOf(
  text: string,
  dialect: Dialect,
  hintLines: number,
): Generator<RawRow & { record: CsvRecord }, void> {
  let line = 1 + hintLines;
  for (const record of readRecords(text, dialect, true, shapeRecords).records) {
    yield { line, cells: record.cells, record };
    line += lineCount(record);
  }
}

/** The width ignores rows with line breaks. */
function shapeOf(
  rows: readonly (RawRow & { record: CsvRecord })[],
  headerLine: number,
  { delimiter }: Dialect,
): Pick<CsvLayout, "width" | "isSpaced"> {
  const table = rows.filter(({ line, record }) => line >= headerLine && !isEmptyRecord(record));
  const counts = new Map<number, number>();
  for (const { cells, record } of table)
    if (lineCount(record) === 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [width = 1] = [...counts].sort(([, left], [, right]) => right - left)[0] ?? [];
  const spaced = table.filter(({ cells, record }) =>
    isSpacedLine(record.raw ?? cells.join(delimiter), delimiter),
  );
  return { width, isSpaced: spaced.length * 2 >= table.length };
}

export function isSpacedLine(line: string, delimiter: string): boolean {
  const parts = line.split(delimiter).slice(1);
  return parts.length > 0 && parts.every((part) => /^\s/.test(part));
}

/** Returns whether every cell with letters is in single quotes. Ignores the header, which may be unquoted. */
function isInSingleQuotes([header, ...rows]: readonly CsvRecord[]): boolean {
  const isQuoted = ({ cells, raw = "", fault }: CsvRecord) =>
    fault === undefined &&
    cells.every((cell) => !/\p{L}/u.test(cell) || cell.includes("'") || raw.includes(`'${cell}'`));
  const judged = rows.length === 0 && header !== undefined ? [header] : rows;
  return judged.length > 0 && judged.every(isQuoted) && judged.some(({ raw }) => raw !== undefined);
}

async function countMisfits(
  text: AsyncIterable<string>,
  dialect: Dialect,
  { headerLine, hintLines }: Pick<CsvLayout, "headerLine" | "hintLines">,
  name: string,
): Promise<{ misfits: number; hasEscapes: boolean }> {
  let line = 1;
  let width: number | undefined;
  let misfits = 0;
  let hasEscapes = false;
  try {
    for await (const records of recordsIn(text, dialect, name)) {
      for (const record of records) {
        const begin = line;
        line += lineCount(record);
        if (begin <= hintLines || begin < headerLine || isEmptyRecord(record)) continue;
        hasEscapes ||= record.escaped === true;
        width ??= record.cells.length;
        if (record.fault !== undefined || record.cells.length !== width) misfits += 1;
      }
    }
  } catch (error) {
    if (!(error instanceof BulkError)) throw error;
    misfits = Number.POSITIVE_INFINITY;
  }
  return { misfits, hasEscapes };
}

interface Candidate {
  dialect: Dialect;
  /** Share of rows with `width` cells, from 0 to 1. */
  agreement: number;
  width: number;
}

/**
 * Returns the dialect in which the largest share of sample rows has as many cells as the header. If several
 * dialects fit equally well, returns the dialect with the most cells. If a title precedes the header,
 * compares the rows only with each other.
 */
function detectDelimiter(text: string, dialects: readonly Dialect[]): Dialect {
  let best: Candidate | undefined;
  let below: Candidate | undefined;
  for (const dialect of dialects) {
    const [header, ...rows] = sampleOf(text, dialect);
    const agreeing = (width: number): Candidate => ({
      dialect,
      width,
      agreement:
        rows.length === 0
          ? 1
          : rows.filter(({ cells, fault }) => cells.length === width && fault === undefined).length /
            rows.length,
    });
    best = better(best, agreeing(header?.cells.length ?? 0));
    for (const width of new Set(rows.map(({ cells }) => cells.length)))
      below = better(below, agreeing(width));
  }
  const chosen = best && best.agreement > 0 ? best : (below ?? best);
  return (
    chosen?.dialect ?? dialects.find(({ delimiter }) => delimiter === ",") ?? dialects[0] ?? usualDialect
  );
}

const usualDialect: Dialect = { delimiter: ",", quote: '"', escapes: false };

function better(best: Candidate | undefined, candidate: Candidate): Candidate | undefined {
  if (candidate.width < 2) return best;
  const isBetter =
    best === undefined ||
    candidate.agreement > best.agreement ||
    (candidate.agreement === best.agreement && candidate.width > best.width);
  return isBetter ? candidate : best;
}
