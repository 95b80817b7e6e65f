/** How a person's text is compared with a row's values (T3: what a service may write otherwise is no difference). */
import { removeInvisible } from "./text.js";

/** A text as it looks on a screen: without signs that have no width, with single spaces, letters not taken apart. */
export function toVisibleText(text: string): string {
  return removeInvisible(text).normalize("NFC").replace(/\s+/gu, " ").trim();
}

/** The same, without case. */
export function toPlainText(text: string): string {
  return toVisibleText(text).toLowerCase();
}

/** Letters that Unicode does not take apart into a plain one and its mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t", ς: "σ" },
  ...{ "’": "'", "‐": "-", "‑": "-" },
};
/** Letters that are written out where a keyboard lacks them. */
const writtenOut: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

function removeMarks(text: string): string {
  const bare = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  return bare.normalize("NFC").replace(/[^\p{ASCII}]/gu, (letter) => plainLetters[letter] ?? letter);
}

/** The spellings of a text that are taken for the same: `müller` as `muller` and as `mueller`. */
function listSpellings(text: string): string[] {
  const plain = toPlainText(text);
  const long = plain.replace(/[äöüøå]/g, (letter) => writtenOut[letter] ?? letter);
  return [...new Set([removeMarks(plain), removeMarks(long)])];
}

const letter = /\p{L}/u;
const digit = /\p{N}/u;
/** Scripts that put no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Does a word of the text begin so? */
function startsWord(text: string, word: string): boolean {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  const isAnywhere = unspaced.test(first) || !(letter.test(first) || digit.test(first));
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    if (isAnywhere || !(letter.test(before) || digit.test(before))) return true;
    if (digit.test(first) && letter.test(before)) return true;
  }
  return false;
}

/**
 * A judgement of texts: each word that was typed begins a word of theirs, in any order. Case, accents and the way
 * umlauts are written don't count, since a caller's name is typed as it was heard.
 */
export function createWordMatcher(typed: string): (text: string) => boolean {
  // `Schmidt, Anna` as an address book has it.
  const parts = toPlainText(typed)
    .split(/[\s,;]+/u)
    .filter((word) => word !== "");
  const words = (parts.length > 0 ? parts : [toPlainText(typed)]).map(listSpellings);
  return (text) => {
    const textSpellings = listSpellings(text);
    return words.every((word) =>
      word.some((spelling) => textSpellings.some((candidate) => startsWord(candidate, spelling))),
    );
  };
}

/** The digits of what looks like a phone number, with its plus; undefined for anything else. */
function parsePhone(text: string): string | undefined {
  if (!/^\+?[\d\s()/.-]+$/.test(text)) return undefined;
  const digits = text.replace(/\(0\)/g, "").replace(/\D/g, "");
  if (digits.length < (text.trim().startsWith("+") ? 1 : 3)) return undefined;
  return text.trim().startsWith("+")
    ? `+${digits}`
    : digits.startsWith("00")
      ? `+${digits.slice(2)}`
      : digits;
}

const callingCodeLengths = [1, 2, 3];

/** How numbers begin in E.164, without the plus, that are dialled so in a country. */
export function toInternationalPrefix(
  typed: string,
  { callingCode, trunkPrefix }: { callingCode: string; trunkPrefix: string },
): string {
  const phone = parsePhone(typed) ?? "";
  return `${callingCode}${phone.startsWith(trunkPrefix) ? phone.slice(trunkPrefix.length) : phone}`;
}

/**
 * A judgement of numbers: with a country code one that begins so, with a zero one that begins so behind any country's
 * code, or as `beginning` where the country is known, else one that has these digits. Undefined for what is no
 * number.
 */
export function createPhoneMatcher(
  typed: string,
  beginning?: string,
): ((number: string) => boolean) | undefined {
  const phone = parsePhone(typed);
  if (phone === undefined) return undefined;
  if (phone.startsWith("+")) return (number) => (parsePhone(number) ?? number).startsWith(phone);
  if (!phone.startsWith("0")) return (number) => number.replace(/\D/g, "").includes(phone);
  const national = phone.slice(1);
  return (number) => {
    const digits = number.replace(/\D/g, "");
    // A service may keep a number as it is dialled.
    if (digits.startsWith(phone)) return true;
    if (beginning !== undefined) return digits.startsWith(beginning);
    return callingCodeLengths.some((length) => digits.startsWith(national, length));
  };
}

/** Is it, or does it begin, a phone number with the zero that stands for its country's code: `0171`? */
export function isDialled(text: string): boolean {
  return parsePhone(text)?.startsWith("0") === true;
}

/** Is it a phone number without its country's code: `0171 2345678`? */
export function isNationalNumber(text: string): boolean {
  return parsePhone(text)?.startsWith("+") === false;
}

/** Is it written as a phone number is? */
export function isPhone(text: string): boolean {
  return parsePhone(text) !== undefined;
}

/** Is the number the one that is dialled so within some country: +49 171 2345678 of `0171 2345678`? */
export function isSameSubscriber(number: string, national: string): boolean {
  const dialled = parsePhone(national);
  const digits = parsePhone(number);
  if (!digits?.startsWith("+") || !dialled?.startsWith("0")) return false;
  return callingCodeLengths.some((length) => digits.slice(1 + length) === dialled.slice(1));
}

/** Is it the same number, however it is written? */
export function isSamePhone(left: string, right: string): boolean {
  const number = parsePhone(left);
  return number?.startsWith("+") === true && number === parsePhone(right);
}

/** The texts in a value, lists included. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap(collectTexts) : [];
}
