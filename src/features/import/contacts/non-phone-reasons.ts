/** Cells of digits that are not phone numbers, caused by shifted columns or spreadsheets. */

const day =
  /^(?:(?:19|20)\d\d[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](?:19|20)\d\d)(?:[ T]\d\d:\d\d.*)?$/;
/** With two digits of the year, or without the day: some short numbers are written alike. */
const shortDay = /^(?:(\d{1,2})([-./])(\d{1,2})\2\d\d|(1[0-2]|0?[1-9])[-./](?:19|20)\d\d)$/;
/**
 * Five digits before the separator: a date and time as a spreadsheet number. Groups of a phone number are
 * longer than six digits, or several. After a whole number or groups, a single separator followed only by
 * zeros is a decimal point.
 */
const fraction = /^(?:[1-9]\d*[.,]\d{1,6}|[2-6]\d{4}[.,]\d+|(?:\+|0)\d{7,}[.,]\d{1,2}|[^.,]*\d[.,]0+)$/;
const scientific = /^[+-]?\d+(?:[.,]\d+)?\s*E\s*[+-]?\d+$/i;
const dateReason = "is a date instead of a phone number: is the column mapped correctly?";

/** Returns why a cell is certainly not a phone number; undefined if it may be one. */
export function findNonPhoneReason(written: string): string | undefined {
  const [, ...parts] = day.exec(written) ?? [];
  if (isDayAndMonth(parts)) return dateReason;
  if (scientific.test(written))
    return "a spreadsheet has shortened the number; format the column as text and export again";
  if (fraction.test(written)) return "is a decimal number instead of a phone number: write it with + or 0";
  return /^-[1-9]\d*$/.test(written) ? "is a negative number instead of a phone number" : undefined;
}

/** Returns why a cell is not a valid phone number. See `findNonPhoneReason`. */
export function findInvalidPhoneReason(written: string): string | undefined {
  const match = shortDay.exec(written);
  if (match === null) return undefined;
  const [, firstPart, , secondPart, month] = match;
  return month !== undefined || isDayAndMonth([firstPart, secondPart]) ? dateReason : undefined;
}

/** In either order. */
function isDayAndMonth(parts: readonly (string | undefined)[]): boolean {
  const [first = 0, second = 0] = parts.flatMap((part) => (part === undefined ? [] : [Number(part)]));
  return Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}
