/** Normalizes the text of phone cells: digits of other scripts, spreadsheet marks, punctuation. */

/** Most numbers: only digits and their usual punctuation. */
const usual = /^[\d+\-./() ]*$/;

/** Returns whether a text contains no word. */
export function isWithoutWords(text: string): boolean {
  return usual.test(text) || !/\p{L}/u.test(text);
}

/** Returns a cell without invisible characters, with digits and characters of other scripts in ASCII. */
export function cleanCell(cell: string): string {
  if (usual.test(cell)) return cell.trim();
  const text = cell
    .replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, "")
    .replace(/[\uff01-\uff5e\ufe50-\ufe6f]/g, (character) => character.normalize("NFKC"))
    .replace(/(?!\d)\p{Nd}/gu, digitValue)
    .replace(/(?<=\d)[\u30fc\uff70](?=\d)/g, "-")
    .replace(/[\u2044\u2215]/g, "/")
    .replace(/[\u3010\u3014]/g, "[")
    .replace(/[\u3011\u3015]/g, "]")
    .trim();
  return isLink(text) ? decodeLink(text.replace(linkStart, "")) : text;
}

const linkStart = /^\s*(?:tel|callto):/i;

/** Returns whether a cell is a link with a phone number: `tel:+49-30-1234567`. */
export function isLink(cell: string): boolean {
  return linkStart.test(cell);
}

function decodeLink(text: string): string {
  return text.replace(/%2b/gi, "+").replace(/%20/g, " ");
}

/** The value of a digit of any script: each has its ten in a row, from 0 on. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** `49 (0) 170 1234567`: only a calling code precedes a zero in brackets, so the plus was lost. */
const lostPlus = /^\s*([1-9]\d{0,2})\s*\(\s*0\s*\)/;
/** No calling code starts with 0, so the plus is wrong. */
const plusBeforeZero = /^([\s(]*)\+(?=[\s\-./()\u2010-\u2015\u2212]*0)/;

/**
 * Returns the digits of a number and the plus before them, without punctuation and without a `(0)` that is
 * dialled only within the country.
 */
export function digitsOf(text: string): string {
  const written = text.replace(plusBeforeZero, "$1");
  return withoutBracketedZero(written).replace(/[\s\-./()[\]\u2010-\u2015\u2212]/g, "");
}

function withoutBracketedZero(text: string): string {
  if (!text.includes("(")) return text;
  return /^\s*(\+|00)/.test(text) ? text.replace(/\(\s*0\s*\)/, "") : text.replace(lostPlus, "+$1");
}

/** The results of programs that treat phone numbers as numeric values. */
const decimal = /^(\+?\d+)[.,]0+$/;
/** A number without rounded digits: it has as many decimals as the exponent. */
const wholeScientific = /^(\+?\d)[.,](\d+)E\+?(\d{1,2})$/i;

/** The mark that spreadsheets put before a text, which is not part of it. */
const textMark = /^['‘’‛`´\u2032]+\s*(?=[+(\d[])/;

/**
 * Returns the text of a cell before a program converted it to a number or marked it as text, if no digit was
 * lost.
 */
export function asPhoneText(cell: string): string {
  const text = cell.replace(textMark, "");
  const [, whole] = decimal.exec(text) ?? [];
  if (whole !== undefined) return whole;
  const [, first = "", decimals = "", exponent] = wholeScientific.exec(text) ?? [];
  return exponent !== undefined && Number(exponent) === decimals.length ? `${first}${decimals}` : text;
}
