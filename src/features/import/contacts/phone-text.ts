const usual = /^[\d+\-./() ]*$/;

export function isWithoutWords(text: string): boolean {
  return usual.test(text) || !/\p{L}/u.test(text);
}

/** Removes invisible characters, and converts digits and punctuation of other scripts to ASCII. */
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

/** Returns whether a cell is a phone link: `tel:+49-30-1234567`. */
export function isLink(cell: string): boolean {
  return linkStart.test(cell);
}

function decodeLink(text: string): string {
  return text.replace(/%2b/gi, "+").replace(/%20/g, " ");
}

/** In Unicode, the ten digits of a script are consecutive. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/**
 * Matches a calling code that lacks its plus, as in `49 (0) 170 1234567`. Only a calling code can precede
 * `(0)`.
 */
const lostPlus = /^\s*([1-9]\d{0,2})\s*\(\s*0\s*\)/;
/** Matches a plus before a 0, which is a mistake: no calling code starts with 0. */
const plusBeforeZero = /^([\s(]*)\+(?=[\s\-./()\u2010-\u2015\u2212]*0)/;

/** Returns the digits and plus sign of a number. Removes `(0)`, which is dialed only within the country. */
export function digitsOf(text: string): string {
  const written = text.replace(plusBeforeZero, "$1");
  return withoutBracketedZero(written).replace(/[\s\-./()[\]\u2010-\u2015\u2212]/g, "");
}

function withoutBracketedZero(text: string): string {
  if (!text.includes("(")) return text;
  return /^\s*(\+|00)/.test(text) ? text.replace(/\(\s*0\s*\)/, "") : text.replace(lostPlus, "+$1");
}

/** Matches digits with decimals that a program added: `4930123456.0`. */
const decimal = /^(\+?\d+)[.,]0+$/;
/** Scientific notation in which no digit was rounded: the number of decimals equals the exponent. */
const wholeScientific = /^(\+?\d)[.,](\d+)E\+?(\d{1,2})$/i;

/** Apostrophe that marks a spreadsheet cell as text. */
const textMark = /^['‘’‛`´\u2032]+\s*(?=[+(\d[])/;

/**
 * Restores the text of a cell that a program converted to a number or marked as text. Doesn't convert a
 * number that lost digits.
 */
export function asPhoneText(cell: string): string {
  const text = cell.replace(textMark, "");
  const [, whole] = decimal.exec(text) ?? [];
  if (whole !== undefined) return whole;
  const [, first = "", decimals = "", exponent] = wholeScientific.exec(text) ?? [];
  return exponent !== undefined && Number(exponent) === decimals.length ? `${first}${decimals}` : text;
}
