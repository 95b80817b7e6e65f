import { digitsOf } from "./phone-text.js";

/** Minimum number of digits in a complete number, as opposed to an area code. */
export const wholeDigits = { national: 8, international: 9 };

/**
 * Returns whether a string contains several numbers, of which only the first one is complete, as in
 * `030 6660070 / 6660071`, `030 6660004/05` and `030 66600 12-15`. Ignores a final `/0`, which is the
 * switchboard.
 */
export function isSeveral(written: string): boolean {
  for (let index = written.search(/[/\n]/); index >= 0 && index < written.length; index += 1) {
    if (written[index] !== "/" && written[index] !== "\n") continue;
    const digitsAfter = written.slice(index + 1).replace(/[^\d]/g, "");
    if (digitsAfter !== "" && digitsAfter !== "0" && isWhole(written.slice(0, index))) return true;
  }
  if (!/[-\u2010-\u2015]/.test(written)) return false;
  const range = /^(.*\d{3,}[\s-]+)(\d{1,3})\s*[-\u2010-\u2015]\s*(\d{1,3})$/su.exec(written.trim());
  if (range === null) return false;
  const [, before = "", first = "", last = ""] = range;
  const size = Number(last) - Number(first);
  return first.length === last.length && size > 0 && size <= 20 && isWhole(before);
}

export function isWhole(part: string): boolean {
  const bare = digitsOf(part);
  const code = /^(?:\+|00)/.exec(bare)?.[0] ?? "";
  return bare.length - code.length >= (code === "" ? wholeDigits.national : wholeDigits.international);
}

/** Sets of separators, largest set first. A comma is the most reliable separator, and a slash the least. */
const separators = [/[,/\n]/, /[,\n]/, /,/];

/**
 * Splits a string that contains several numbers. Every part must be a complete number, because a slash can
 * also be inside a number (04421/123456).
 */
export function splitNumbers(text: string, isNumber: (part: string) => boolean): string[] {
  for (const separator of separators) {
    if (!separator.test(text)) break;
    const parts = text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== "");
    if (parts.length > 1 && parts.every(isNumber)) return parts;
  }
  return [text.replace(/[,\s]+$/, "")];
}
