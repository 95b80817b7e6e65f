/**
 * Recognizes cells of digits that are not phone numbers, such as dates in the wrong column or numbers that a
 * spreadsheet rounded.
 */

const day =
  /^(?:(?:19|20)\d\d[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](?:19|20)\d\d)(?:[ T]\d\d:\d\d.*)?$/;
/** Dates with a two-digit year or without a day. Some short phone numbers have the same format. */
const shortDay = /^(?:(\d{1,2})([-./])(\d{1,2})\2\d\d|(1[0-2]|0?[1-9])[-./](?:19|20)\d\d)$/;
/**
 * Matches decimal numbers: digits, one separator, and at most six digits or only zeros. With five digits
 * before the separator, more digits can follow, because spreadsheets store a date and time in this form.
 */
const fraction = /^(?:[1-9]\d*[.,]\d{1,6}|[2-6]\d{4}[.,]\d+|(?:\+|0)\d{7,}[.,]\d{1,2}|[^.,]*\d[.,]0+)$/;
const scientific = /^[+-]?\d+(?:[.,]\d+)?\s*E\s*[+-]?\d+$/i;
const dateReason = "is a date, not a phone number; check the column mapping";

export function findNonPhoneReason(written: string): string | undefined {
  const [, ...parts] = day.exec(written) ?? [];
  if (isDayAndMonth(parts)) return dateReason;
  if (scientific.test(written))
    return "was shortened by a spreadsheet; format the column as text and export the list again";
  if (fraction.test(written))
    return "is a decimal number, not a phone number; write phone numbers with + or 0";
  return /^-[1-9]\d*$/.test(written) ? "is a negative number, not a phone number" : undefined;
}

/** Returns a reason if an invalid phone number is probably a date. */
export function findInvalidPhoneReason(written: string): string | undefined {
  const match = shortDay.exec(written);
  if (match === null) return undefined;
  const [, firstPart, , secondPart, month] = match;
  return month !== undefined || isDayAndMonth([firstPart, secondPart]) ? dateReason : undefined;
}

function isDayAndMonth(parts: readonly (string | undefined)[]): boolean {
  const [first = 0, second = 0] = parts.flatMap((part) => (part === undefined ? [] : [Number(part)]));
  return Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}
