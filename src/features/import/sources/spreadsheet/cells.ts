import { parseTime } from "../../../../base/time-text.js";
import { formulaError, formulaErrorText, isFormulaError } from "../formula-errors.js";
import type { NumberStyles } from "./number-formats.js";
import type { StoredCell } from "./sheet.js";

/** A cell's text, with all digits of a number. */
export interface Cell {
  text: string;
  /** Why the text differs from what the user typed. */
  spoiled?: string;
  /** Why the cell has no value, for example because of a formula error. */
  noValue?: string;
}

export interface Shown extends NumberStyles {
  /** Whether day 0 of the date system is in 1904 instead of 1900. */
  from1904: boolean;
}

/** Number of digits that a spreadsheet stores exactly. Spreadsheets use double-precision numbers. */
const sureDigits = 15;
/** Maximum number of characters in a number. A double-precision number needs at most 24 characters. */
const longestNumber = 100;
/** Number of days from day 0 of each date system to 1970. */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 };
const dayMilliseconds = 86_400_000;
const latestDate = 8.64e15;

export function readCell(stored: StoredCell, shown: Shown): Cell | undefined {
  const { type, value = "", formula } = stored;
  if (type === "e") return { text: value || "#ERROR!", noValue: formulaError };
  if (formula !== undefined && !hasResult(stored))
    return {
      text: `=${formula}`,
      noValue: "is a formula without a result: open the file in the spreadsheet program and save it again",
    };
  if (value === "") return undefined;
  if (type === "n")
    return (
      (shown.isDate(stored.style) ? dateCell(value, shown) : undefined) ??
      dialledCell(numberCell(value), stored.style, shown)
    );
  if (type === "b")
    return booleanCell(value === "1" ? "true" : value === "0" ? "false" : value.trim().toLowerCase());
  if (type === "d") return { text: dateText(parseTime(value)) ?? value };
  // A formula error may also be pasted as text.
  if (isFormulaError(value)) return { text: value, noValue: formulaErrorText };
  return { text: value };
}

/**
 * Marks a boolean as unreadable, because the typed word is lost: spreadsheet programs convert "true" (in
 * German, "WAHR") to a boolean.
 */
function booleanCell(text: string): Cell {
  return { text, spoiled: `is stored as the boolean ${text}` };
}

/** An empty string is also a result. */
function hasResult({ type, value }: StoredCell): boolean {
  return type === "str" ? value !== undefined : value !== undefined && value.trim() !== "";
}

function dateCell(value: string, { from1904 }: Shown): Cell | undefined {
  const days = Number(value) - (from1904 ? daysTo1970.from1904 : daysTo1970.from1900);
  const text = dateText(Math.round(days * dayMilliseconds));
  return text === undefined ? undefined : { text };
}

/** Adds the plus or zeros that the cell's number format displays before the number. */
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

/** Formats a stored number without an exponent: `4.915112345678E+12` → `4915112345678`. */
function numberCell(value: string): Cell {
  const stored = value.trim();
  const spoiled = {
    text: stored,
    spoiled: `is stored as the number ${stored.slice(0, longestNumber)}, but spreadsheets keep only ${sureDigits} digits`,
  };
  if (stored.length > longestNumber) return spoiled;
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(stored);
  if (!match) return { text: stored, noValue: "is stored as a number, but is not a valid number" };
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
