import { BulkError } from "../../../../write/errors.js";
import {
  firstRows,
  headerRowNotFound,
  headerOf as headerRowOf,
  type LayoutOptions,
  type RawRow,
} from "../layout.js";
import { findSurplus } from "../surplus.js";
import type { SourceRow, Unseen } from "../types.js";
import { type Archive, openArchive } from "./archive.js";
import { type Cell, readCell } from "./cells.js";
import { megabytes, SpreadsheetError, type SpreadsheetLimits, tooLarge } from "./limits.js";
import { readNumberStyles } from "./number-formats.js";
import { readSharedTexts } from "./shared-texts.js";
import { columnName, readRows, type StoredRow } from "./sheet.js";
import { fillingDown, readSheetFacts, type SheetFacts } from "./unseen.js";
import { readWorkbook, type WorkbookSheet } from "./workbook.js";

const noCell: Cell = { text: "" };

export function isSpreadsheet(head: Uint8Array, name: string): boolean {
  if (head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 0x03 || head[3] !== 0x04) return false;
  if (/\.(xlsx|xlsm)$/i.test(name)) return true;
  // Standard input has no file extension, so search for the name of a spreadsheet's part.
  return name === "-" && Buffer.from(head).includes("[Content_Types].xml");
}

export interface SheetLayout {
  name: string;
  /** Position of the sheet, starting at 0. */
  index: number;
  sheets: number;
  headerLine: number;
  skipRows: number;
  facts: SheetFacts;
  furtherSheets: Unseen["furtherSheets"];
}

/**
 * Finds the sheet and the header row, by default those with the most known column names. Hidden sheets are
 * read only if the user specifies them.
 * @throws BulkError if the sheet doesn't exist or is empty
 */
export async function spreadsheetLayout(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  limits: SpreadsheetLimits,
  options: LayoutOptions,
  signal: AbortSignal | undefined,
): Promise<SheetLayout> {
  return readable(name, async () => {
    const packed = await bytesOf(chunks, limits);
    const workbook = await openWorkbook(openArchive(packed, limits, signal), limits);
    const { sheets } = workbook;
    const requestedSheet = options.sheet === undefined ? undefined : sheetNamed(sheets, options.sheet, name);
    const lookAt = async (sheet: WorkbookSheet): Promise<LookedAt | undefined> => {
      const first = firstRows(await firstOf(workbook.rows(sheets.indexOf(sheet))), options);
      if (first.length === 0) return undefined;
      const { line, known } = headerRowOf(first, options, name);
      const names = first.find((row) => row.line === line)?.cells ?? [];
      return { sheet, line, known, names: names.map((cell) => cell.trim()), rows: first.length };
    };
    const usual = sheets.filter(({ isHidden }) => !isHidden);
    const hidden = sheets.filter(({ isHidden }) => isHidden);
    const looked = requestedSheet === undefined ? [...usual, ...hidden] : [requestedSheet];
    const all: LookedAt[] = [];
    for (const sheet of looked.slice(0, mostSheets)) {
      const seen = await lookAt(sheet);
      if (seen !== undefined) all.push(seen);
    }
    const best = all
      .filter(({ sheet }) => (requestedSheet === undefined ? !sheet.isHidden : sheet === requestedSheet))
      .reduce<LookedAt | undefined>(
        (current, next) => (current && current.known >= next.known ? current : next),
        undefined,
      );
    const further = all.filter(
      (sheet) => sheet.sheet !== best?.sheet && sheet.rows > 1 && isAlike(sheet, best),
    );
    const furtherSheets = further.map(({ sheet }) => ({ name: sheet.name, isHidden: sheet.isHidden }));
    if (best === undefined) throw emptySheet(name, requestedSheet, furtherSheets);
    const skipRows = options.skipRows ?? 0;
    const { sheet, line: headerLine, names } = best;
    const unfilled = new Set(options.identifyingColumns?.(names));
    // Open the file again, because the sheets that were already unpacked count toward the first archive's
    // limit.
    const archive = openArchive(packed, limits, signal);
    const facts = await readSheetFacts(archive, sheet.part, { headerLine, skipRows, names, unfilled });
    const layout = { name: sheet.name, index: sheets.indexOf(sheet), sheets: sheets.length };
    return { ...layout, headerLine, skipRows, facts, furtherSheets };
  });
}

/**
 * Returns whether a sheet resembles the sheet that will be read. Either the sheet has known columns, or
 * neither sheet has known columns but both share a column.
 */
function isAlike({ known, names }: LookedAt, best: LookedAt | undefined): boolean {
  if (known > 0 || best === undefined) return known > 0;
  return best.known === 0 && names.some((name) => name !== "" && best.names.includes(name));
}

interface LookedAt {
  sheet: WorkbookSheet;
  line: number;
  known: number;
  names: readonly string[];
  rows: number;
}

function emptySheet(
  name: string,
  sheet: WorkbookSheet | undefined,
  [further]: Unseen["furtherSheets"],
): BulkError {
  const hint =
    further === undefined
      ? "add a first row with the column names"
      : `add a first row with the column names, or read the hidden sheet with --sheet "${further.name}"`;
  const which = sheet === undefined ? "the first sheet" : `sheet "${sheet.name}"`;
  return new BulkError("empty_file", `${which} in ${name} is empty`, hint, {
    hintFlag: further && "--sheet",
  });
}

const mostSheets = 200;
/**
 * Maximum number of rows that are searched for the header. A title of several lines can precede the header.
 */
const mostRowsLookedAt = 200;

async function firstOf(rows: AsyncIterable<StoredRow<Cell>>): Promise<RawRow[]> {
  const first: RawRow[] = [];
  for await (const { number, cells } of rows) {
    first.push({ line: number, cells: Array.from(cells, (cell) => cell?.text ?? "") });
    if (first.length === mostRowsLookedAt) break;
  }
  return first;
}

function sheetNamed(sheets: readonly WorkbookSheet[], sheetName: string, name: string): WorkbookSheet {
  const match =
    sheets.find((sheet) => sheet.name === sheetName) ??
    sheets.find((sheet) => sheet.name.toLowerCase() === sheetName.trim().toLowerCase()) ??
    (/^\d+$/.test(sheetName) ? sheets[Number(sheetName) - 1] : undefined);
  if (match !== undefined) return match;
  throw new BulkError(
    "unknown_sheet",
    `--sheet: ${name} has no sheet "${sheetName}"`,
    `use one of the file's sheets: ${sheets.map((sheet) => `"${sheet.name}"`).join(", ")}`,
  );
}

async function readable<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SpreadsheetError ? unreadable(name, error) : error;
  }
}

function unreadable(name: string, error: SpreadsheetError): BulkError {
  return new BulkError(
    "unsupported_file",
    `${name} ${error.message}`,
    "save only the table as a new spreadsheet, or as CSV UTF-8",
    { cause: error },
  );
}

/**
 * Yields the records in a sheet, then returns the header. A cell whose digits were lost is unreadable.
 * @throws BulkError if the file can't be read or exceeds a limit
 */
export async function* readSpreadsheet(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  limits: SpreadsheetLimits,
  { index, headerLine, skipRows, facts }: SheetLayout,
  signal?: AbortSignal,
): AsyncGenerator<SourceRow, readonly string[]> {
  let names: readonly string[] | undefined;
  let number = 0;
  const fillDown = fillingDown<Cell>(facts.filled);
  try {
    const archive = openArchive(await bytesOf(chunks, limits), limits, signal);
    for await (const row of (await openWorkbook(archive, limits)).rows(index)) {
      if (row.cells.every((cell) => (cell?.text ?? "").trim() === "")) continue;
      fillDown(row);
      const cells = Array.from(row.cells, (cell) => cell ?? noCell);
      if (names === undefined && row.number < headerLine) continue;
      if (names === undefined) {
        if (row.number !== headerLine) throw headerRowNotFound(name, headerLine);
        names = headerOf(cells);
        continue;
      }
      if (row.number <= skipRows) continue;
      number += 1;
      yield recordOf(cells, names, number, row.number);
    }
  } catch (error) {
    throw error instanceof SpreadsheetError ? unreadable(name, error) : error;
  }
  if (names === undefined) throw headerRowNotFound(name, headerLine);
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

async function openWorkbook(archive: Archive, limits: SpreadsheetLimits) {
  const workbook = await readWorkbook(archive);
  const styles = await readNumberStyles(archive, workbook.styles);
  const texts = await readSharedTexts(archive, workbook.sharedTexts, limits);
  const shown = { ...styles, from1904: workbook.from1904 };
  return {
    sheets: workbook.sheets,
    rows: (index: number): AsyncGenerator<StoredRow<Cell>, void> =>
      readRows(archive, workbook.sheets[index]?.part ?? "", texts, limits, (stored) =>
        readCell(stored, shown),
      ),
  };
}

function headerOf(cells: readonly Cell[]): readonly string[] {
  const names = cells.map(({ text }) => text.trim());
  while (names.at(-1) === "") names.pop();
  return names;
}

function recordOf(cells: readonly Cell[], names: readonly string[], number: number, line: number): SourceRow {
  const problem = findSurplus(
    cells.map(({ text }) => text),
    names,
  );
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

/** Returns why cells are unreadable: reasons by column position. Reasons in unused columns are ignored. */
function unreadableOf(
  cells: readonly Cell[],
  names: readonly string[],
  line: number,
): ReadonlyMap<number, string> {
  const reasons = new Map<number, string>();
  for (const [column, { noValue, spoiled }] of cells.entries()) {
    const cellName = `${names[column] || "a cell"} (${columnName(column)}${line})`;
    if (noValue !== undefined) reasons.set(column, noValue);
    if (spoiled !== undefined)
      reasons.set(column, `${cellName} ${spoiled}: format the column as text and enter the value again`);
  }
  return reasons;
}
