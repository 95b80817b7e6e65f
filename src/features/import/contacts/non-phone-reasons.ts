/**
 * Finds cells of digits that are not phone numbers, such as dates from shifted columns or rounded numbers from
 * spreadsheets.
 */

const day =
  /^(?:(?:19|20)\d\d[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](?:19|20)\d\d)(?:[ T]\d\d:\d\d.*)?$/;
/** Dates with a two-digit year or without a day. Some short phone numbers look the same. */
const shortDay = /^(?:(\d{1,2})([-./])(\d{1,2})\2\d\d|(1[0-2]|0?[1-9])[-./](?:19|20)\d\d)$/;
/**
 * Decimal numbers. Five digits before the separator are a spreadsheet's date and time. The digits after the
 * separator of a phone number are more than six or in several groups; only zeros after the last separator are
 * decimals.
 */
const fraction = /^(?:[1-9]\d*[.,]\d{1,6}|[2-6]\d{4}[.,]\d+|(?:\+|0)\d{7,}[.,]\d{1,2}|[^.,]*\d[.,]0+)$/;
const scientific = /^[+-]?\d+(?:[.,]\d+)?\s*E\s*[+-]?\d+$/i;
const dateReason = "is a date, not a phone number; check the column mapping";

/** Returns why a cell can't be a phone number; undefined if it can. */
export function findNonPhoneReason(written: string): string | undefined {
  const [, ...parts] = day.exec(written) ?? [];
  if (isDayAndMonth(parts)) return dateReason;
  if (scientific.test(written))
    return "was shortened by a spreadsheet; format the column as text and export again";
  if (fraction.test(written))
    return "is a decimal number, not a phone number; write phone numbers with + or 0";
  return /^-[1-9]\d*$/.test(written) ? "is a negative number, not a phone number" : undefined;
}

/** Returns why a cell that is not a valid phone number is probably a date; otherwise undefined. */
export function findInvalidPhoneReason(written: string): string | undefined {
  const match = shortDay.exec(written);
  if (match === null) return undefined;
  const [, firstPart, , secondPart, month] = match;
  return month !== undefined || isDayAndMonth([firstPart, secondPart]) ? dateReason : undefined;
}

/** Returns whether two numbers are a day and a month, in either order. */
function isDayAndMonth(parts: readonly (string | undefined)[]): boolean {
  const [first = 0, second = 0] = parts.flatMap((part) => (part === undefined ? [] : [Number(part)]));
  return Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}
