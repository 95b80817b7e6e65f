import { removeInvisible } from "./text.js";

/** Returns text as displayed: without zero-width characters, with single spaces and composed letters. */
export function toVisibleText(text: string): string {
  return removeInvisible(text).normalize("NFC").replace(/\s+/gu, " ").trim();
}

export function toPlainText(text: string): string {
  return toVisibleText(text).toLowerCase();
}

/** Letters that Unicode does not decompose into a base letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t", ς: "σ" },
  ...{ "’": "'", "‐": "-", "‑": "-" },
};
/** Spellings of letters that some keyboards lack. */
const writtenOut: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

function removeMarks(text: string): string {
  const bare = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  return bare.normalize("NFC").replace(/[^\p{ASCII}]/gu, (letter) => plainLetters[letter] ?? letter);
}

function listSpellings(text: string): string[] {
  const plain = toPlainText(text);
  const long = plain.replace(/[äöüøå]/g, (letter) => writtenOut[letter] ?? letter);
  return [...new Set([removeMarks(plain), removeMarks(long)])];
}

const letter = /\p{L}/u;
const digit = /\p{N}/u;
/** Scripts that don't separate words with spaces. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

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
 * Returns a function that matches a text if each typed word starts a word of the text, in any order. Ignores
 * accents and accepts `ue` for `ü`.
 */
export function createWordMatcher(typed: string): (text: string) => boolean {
  // Commas also separate words, as in `Schmidt, Anna`.
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

/**
 * Converts the start of a national number to the start of its E.164 form, without the plus: `0171` to
 * `49171`.
 */
export function toInternationalPrefix(
  typed: string,
  { callingCode, trunkPrefix }: { callingCode: string; trunkPrefix: string },
): string {
  const phone = parsePhone(typed) ?? "";
  return `${callingCode}${phone.startsWith(trunkPrefix) ? phone.slice(trunkPrefix.length) : phone}`;
}

/**
 * Returns a function that matches phone numbers; undefined if `typed` is not a phone number. `+49171` matches
 * at the start of a number, and `0171` after any country code. `171` matches anywhere.
 * @param beginning start of the international form of `typed`, used if `typed` has a leading zero
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
    if (digits.startsWith(phone)) return true;
    if (beginning !== undefined) return digits.startsWith(beginning);
    return callingCodeLengths.some((length) => digits.startsWith(national, length));
  };
}

/** Returns whether the text is a phone number with a leading zero, or the start of one: `0171`. */
export function isDialled(text: string): boolean {
  return parsePhone(text)?.startsWith("0") === true;
}

/** Returns whether the text is a phone number without a country code: `0171 2345678`. */
export function isNationalNumber(text: string): boolean {
  return parsePhone(text)?.startsWith("+") === false;
}

export function isPhone(text: string): boolean {
  return parsePhone(text) !== undefined;
}

/** Returns whether `national` is the national form of `number`: `0171 2345678` for +49 171 2345678. */
export function isSameSubscriber(number: string, national: string): boolean {
  const dialled = parsePhone(national);
  const digits = parsePhone(number);
  if (!digits?.startsWith("+") || !dialled?.startsWith("0")) return false;
  return callingCodeLengths.some((length) => digits.slice(1 + length) === dialled.slice(1));
}

export function isSamePhone(left: string, right: string): boolean {
  const number = parsePhone(left);
  return number?.startsWith("+") === true && number === parsePhone(right);
}

export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap(collectTexts) : [];
}
