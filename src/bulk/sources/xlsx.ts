import { BulkError } from "../errors.js";
import type { SourceRow } from "./types.js";

/** A spreadsheet is unpacked in memory; larger ones are lists for CSV. */
const largestBytes = 50 * 1024 * 1024;
/** A spreadsheet calculates in doubles: of a number's digits only so many are sure. */
const sureDigits = 15;

/** A number as the file has it, which may be none that a person would write. */
class StoredNumber {
  constructor(readonly text: string) {}
}

/** Is it a spreadsheet of today (`.xlsx`), by its name or its first bytes? Another ZIP archive is none. */
export function isSpreadsheet(head: Uint8Array, name: string): boolean {
  if (head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 0x03 || head[3] !== 0x04) return false;
  if (/\.(xlsx|xlsm)$/i.test(name)) return true;
  return name === "-" && Buffer.from(head).includes("[Content_Types].xml");
}

/**
 * The records, and at the end the header, of a spreadsheet's first sheet; the first row that is not empty names the columns. Cells are texts: a
 * number keeps its digits, and where the spreadsheet lost some, the row says so.
 * @throws BulkError when it can't be read
 */
export async function* readSpreadsheet(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<SourceRow, readonly string[]> {
  const sheet = await firstSheet(await bytesOf(chunks, name), name);
  let names: readonly string[] | undefined;
  let number = 0;
  for (const [index, row] of sheet.entries()) {
    const cells = row.map(cellOf);
    if (cells.every(({ text }) => text.trim() === "")) continue;
    if (names === undefined) {
      const header = cells.map(({ text }) => text.trim());
      while (header.at(-1) === "") header.pop();
      names = header;
      continue;
    }
    number += 1;
    const problem = problemOf(cells, names);
    const read = problem === undefined ? cells.slice(0, names.length) : cells;
    const unreadable = unreadableOf(read, names, index + 1);
    yield {
      number,
      line: index + 1,
      names,
      values: read.map(({ text }) => text),
      ...(problem === undefined ? {} : { problem }),
      ...(unreadable.size === 0 ? {} : { unreadable }),
    };
  }
  if (names === undefined)
    throw new BulkError(
      "empty_file",
      `the first sheet of ${name} is empty`,
      "its first row must name the columns",
    );
  return names;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>, name: string): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk.slice());
    length += chunk.byteLength;
    if (length > largestBytes)
      throw new BulkError(
        "unsupported_file",
        `${name} is too large for a spreadsheet`,
        "save it as CSV UTF-8",
      );
  }
  const whole = new Uint8Array(new ArrayBuffer(length));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole.buffer;
}

async function firstSheet(bytes: ArrayBuffer, name: string): Promise<unknown[][]> {
  const { readSheet } = await import("read-excel-file/universal");
  const { withFormulasShown } = await import("./xlsx-formulas.js");
  try {
    // The library hands on what `parseNumber` makes of a number, whatever that is.
    const options = { trim: false, parseNumber: (text: string): unknown => new StoredNumber(text) };
    const rows: unknown = await readSheet(withFormulasShown(bytes), 1, options);
    return Array.isArray(rows) ? rows : [];
  } catch (error) {
    throw new BulkError(
      "unsupported_file",
      `${name} can't be read as a spreadsheet: ${error instanceof Error ? error.message : String(error)}`,
      "save it again, or as CSV UTF-8",
    );
  }
}

interface Cell {
  text: string;
  /** Why the text is not what was typed. */
  spoiled?: string;
  /** Why there is no value, where a formula has none. */
  noValue?: string;
}

function cellOf(value: unknown): Cell {
  if (value instanceof StoredNumber) return numberCell(value.text);
  if (value instanceof Date) {
    const text = value.toISOString();
    return { text: text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text };
  }
  return { text: value === null || value === undefined ? "" : String(value) };
}

/** `4.915112345678E+12` → `4915112345678`. */
function numberCell(stored: string): Cell {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(stored.trim());
  if (!match) return { text: stored, noValue: noValueReason(stored) };
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const significant = digits.replace(/^0+/, "").replace(/0+$/, "");
  const text = `${sign}${placed(digits, point)}`;
  if (significant.length <= sureDigits && point <= sureDigits + 6 && point > -sureDigits) return { text };
  return {
    text: stored,
    spoiled: `is stored as the number ${stored}, of which a spreadsheet keeps ${sureDigits} digits`,
  };
}

function noValueReason(stored: string): string {
  return stored.startsWith("=")
    ? "is a formula that was never calculated: open the file in the spreadsheet program and save it again"
    : "is an error of the spreadsheet's formula";
}

function placed(digits: string, point: number): string {
  const padded = point <= 0 ? `${"0".repeat(1 - point)}${digits}` : digits.padEnd(point, "0");
  const at = Math.max(1, point);
  const whole = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  const rest = padded.slice(at).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
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

/** 0 → A, 25 → Z, 26 → AA. */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${columnName(Math.floor(index / 26) - 1)}${last}`;
}
