import { parseTime } from "../../../../base/time-text.js";
import { formulaError, formulaErrorText, isFormulaError } from "../formula-errors.js";
import type { NumberStyles } from "./number-formats.js";
import type { StoredCell } from "./sheet.js";

/** The text of a cell: a number keeps its digits. */
export interface Cell {
  text: string;
  /** Why the text differs from what was typed. */
  spoiled?: string;
  /** Why a formula has no value. */
  noValue?: string;
}

/** How a workbook shows its numbers. */
export interface Shown extends NumberStyles {
  /** Days are counted from 1904. */
  from1904: boolean;
}

/** A spreadsheet calculates in doubles: only this many digits of a number are certain. */
const sureDigits = 15;
/** A double needs at most 24 characters; no spreadsheet program writes a much longer number. */
const longestNumber = 100;
/**
 * The days before 1970 of the day that dates are counted from: 25,569, or 24,107 with the 1904 date system.
 */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 };
const dayMilliseconds = 86_400_000;
const latestDate = 8.64e15;

/** Undefined: the cell is empty. */
export function readCell(stored: StoredCell, shown: Shown): Cell | undefined {
  const { type, value = "", formula } = stored;
  if (type === "e") return { text: value || "#ERROR!", noValue: formulaError };
  if (formula !== undefined && !hasResult(stored))
    return {
      text: `=${formula}`,
      noValue:
        "is a formula that was never calculated: open the file in the spreadsheet program and save it again",
    };
  if (value === "") return undefined;
  if (type === "n")
    return (
      (shown.isDate(stored.style) ? dateCell(value, shown) : undefined) ??
      dialledCell(numberCell(value), stored.style, shown)
    );
  if (type === "b") return { text: value === "1" ? "true" : value === "0" ? "false" : value };
  if (type === "d") return { text: dateText(parseTime(value)) ?? value };
  // Pasted as text.
  if (isFormulaError(value)) return { text: value, noValue: formulaErrorText };
  return { text: value };
}

/** A formula's empty text is a result. */
function hasResult({ type, value }: StoredCell): boolean {
  return type === "str" ? value !== undefined : value !== undefined && value.trim() !== "";
}

function dateCell(value: string, { from1904 }: Shown): Cell | undefined {
  const days = Number(value) - (from1904 ? daysTo1970.from1904 : daysTo1970.from1900);
  const text = dateText(Math.round(days * dayMilliseconds));
  return text === undefined ? undefined : { text };
}

/** Returns a number with the plus or the zeros that its format displays before it. */
function dialledCell(cell: Cell, style: number, shown: Shown): Cell {
  const isPlain = cell.spoiled === undefined && cell.noValue === undefined && /^\d+$/.test(cell.text);
  const text = isPlain ? shown.showDialled(style, cell.text) : undefined;
  return text === undefined ? cell : { text };
}

function dateText(milliseconds: number): string | undefined {
  if (!(Math.abs(milliseconds) <= latestDate)) return undefined;
  const text = new Date(milliseconds).toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text;
}

/** `4.915112345678E+12` → `4915112345678`. */
function numberCell(value: string): Cell {
  const stored = value.trim();
  const spoiled = {
    text: stored,
    spoiled: `is stored as the number ${stored.slice(0, longestNumber)}, of which a spreadsheet keeps ${sureDigits} digits`,
  };
  if (stored.length > longestNumber) return spoiled;
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(stored);
  if (!match) return { text: stored, noValue: "is marked as a number, but is not one" };
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const significant = digits.replace(/^0+/, "").replace(/0+$/, "");
  if (significant.length > sureDigits || point > sureDigits + 6 || point <= -sureDigits) return spoiled;
  return { text: `${sign}${formatDecimal(digits, point)}` };
}

function formatDecimal(digits: string, point: number): string {
  const padded = point <= 0 ? `${"0".repeat(1 - point)}${digits}` : digits.padEnd(point, "0");
  const at = Math.max(1, point);
  const whole = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  const fraction = padded.slice(at).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
