import { BulkError } from "../../errors.js";
import type { SourceRow } from "../types.js";
import { type Archive, openArchive } from "./archive.js";
import { type Cell, readCell } from "./cells.js";
import { readDateStyles } from "./date-formats.js";
import { megabytes, SpreadsheetError, type SpreadsheetLimits, tooLarge } from "./limits.js";
import { readSharedTexts } from "./shared-texts.js";
import { columnName, readRows, type StoredRow } from "./sheet.js";
import { readWorkbook } from "./workbook.js";

const noCell: Cell = { text: "" };

/** Is it a spreadsheet of today (`.xlsx`), by its name or its first bytes? Another ZIP archive is none. */
export function isSpreadsheet(head: Uint8Array, name: string): boolean {
  if (head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 0x03 || head[3] !== 0x04) return false;
  if (/\.(xlsx|xlsm)$/i.test(name)) return true;
  return name === "-" && Buffer.from(head).includes("[Content_Types].xml");
}

/**
 * The records, and at the end the header, of a spreadsheet's first sheet; the first row that is not empty names the
 * columns. Cells are texts: a number keeps its digits, and where the spreadsheet lost some, the row says so. Holds the
 * packed file and the texts that cells share; rows are read while the sheet is unpacked.
 * @param signal ends it with its reason
 * @throws BulkError when it can't be read, or goes beyond a limit
 */
export async function* readSpreadsheet(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  limits: SpreadsheetLimits,
  signal?: AbortSignal,
): AsyncGenerator<SourceRow, readonly string[]> {
  let names: readonly string[] | undefined;
  let number = 0;
  try {
    for await (const row of firstSheet(openArchive(await bytesOf(chunks, limits), limits, signal), limits)) {
      const cells = Array.from(row.cells, (cell) => cell ?? noCell);
      if (cells.every(({ text }) => text.trim() === "")) continue;
      if (names === undefined) {
        names = headerOf(cells);
        continue;
      }
      number += 1;
      yield recordOf(cells, names, number, row.number);
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    throw new BulkError(
      "unsupported_file",
      `${name} ${error.message}`,
      "save it again with nothing but the table, or as CSV UTF-8",
      { cause: error },
    );
  }
  if (names === undefined)
    throw new BulkError(
      "empty_file",
      `the first sheet of ${name} is empty`,
      "its first row must name the columns",
    );
  return names;
}

async function bytesOf(
  chunks: AsyncIterable<Uint8Array>,
  { packedBytes }: SpreadsheetLimits,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.byteLength;
    if (length > packedBytes) throw tooLarge(`more than ${megabytes(packedBytes)}`);
  }
  return Buffer.concat(parts);
}

async function* firstSheet(
  archive: Archive,
  limits: SpreadsheetLimits,
): AsyncGenerator<StoredRow<Cell>, void> {
  const workbook = await readWorkbook(archive);
  const isDate = await readDateStyles(archive, workbook.styles);
  const texts = await readSharedTexts(archive, workbook.sharedTexts, limits);
  const dates = { isDate, from1904: workbook.from1904 };
  yield* readRows(archive, workbook.sheet, texts, limits, (stored) => readCell(stored, dates));
}

function headerOf(cells: readonly Cell[]): readonly string[] {
  const names = cells.map(({ text }) => text.trim());
  while (names.at(-1) === "") names.pop();
  return names;
}

function recordOf(cells: readonly Cell[], names: readonly string[], number: number, line: number): SourceRow {
  const problem = problemOf(cells, names);
  const read = problem === undefined ? cells.slice(0, names.length) : cells;
  const unreadable = unreadableOf(read, names, line);
  return {
    number,
    line,
    names,
    values: read.map(({ text }) => text),
    ...(problem === undefined ? {} : { problem }),
    ...(unreadable.size === 0 ? {} : { unreadable }),
  };
}

/** Cells whose value was lost, with why: it matters to those who read the column. */
function unreadableOf(
  cells: readonly Cell[],
  names: readonly string[],
  line: number,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>();
  for (const [column, { noValue, spoiled }] of cells.entries()) {
    const place = `${names[column] || "a cell"} (${columnName(column)}${line})`;
    if (noValue !== undefined) reasons.set(column, noValue);
    if (spoiled !== undefined)
      reasons.set(column, `${place} ${spoiled}: make the column text and enter it anew`);
  }
  return reasons;
}

function problemOf(cells: readonly Cell[], names: readonly string[]): string | undefined {
  if (cells.slice(names.length).some(({ text }) => text.trim() !== ""))
    return `has ${cells.length} cells, the header ${names.length}`;
  return undefined;
}
