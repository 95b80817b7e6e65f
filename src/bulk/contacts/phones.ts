import type { CountryCode } from "libphonenumber-js/max";
import { isE164 } from "../../contract/primitives.js";
import { BulkError } from "../errors.js";
import { otherThanInvalidPhone, otherThanPhone } from "./no-phones.js";

type PhoneLibrary = typeof import("libphonenumber-js/max");

/** The result of reading a cell: its numbers in E.164, or the part that is not a number and why. */
type PhonesResult =
  | { numbers: string[]; droppedText?: string; withoutZero?: ZeroAdded }
  | { value: string; reason: string };

/** A number whose area code lacks its zero, as it is written and as it is taken. */
export interface ZeroAdded {
  written: string;
  taken: string;
}

export interface PhoneReaderOptions {
  /** ISO 3166 code for numbers that are written without a country, `DE`. */
  country?: string | undefined;
  /**
   * Takes a number that begins with the country's calling code, without a plus, where only the plus makes it valid.
   * Undefined: not, and the command has no flag for it that a reason could name.
   */
  trustsCallingCode?: boolean | undefined;
}

export interface PhoneReader {
  /** Numbers met so far that were written without a country, where none was given. */
  readonly withoutCountry: number;
  /** Numbers met so far that `trustsCallingCode` would take. */
  readonly withoutPlus: number;
  /** The numbers of one cell, in order. An empty cell has none. */
  read(cell: string): PhonesResult;
}

/**
 * Reads phone numbers as people write them.
 * @throws BulkError for a country that does not exist
 */
export async function createPhoneReader({
  country,
  trustsCallingCode,
}: PhoneReaderOptions = {}): Promise<PhoneReader> {
  const library = await import("libphonenumber-js/max");
  const home = country === undefined ? undefined : checkedCountry(library, country);
  const callingCode = home === undefined ? "" : library.getCountryCallingCode(home);
  const trunkPrefix = home === undefined ? "" : trunkPrefixOf(library, home);

  const international = (national: string): string => {
    // As plain as the service's own rule (D-normalize).
    if (trunkPrefix === "0" && national.startsWith("0")) return `+${callingCode}${national.slice(1)}`;
    // The library knows the countries whose trunk prefix is another, or whose 0 belongs to the number (Italy).
    return library.parsePhoneNumberFromString(national, home)?.number ?? `+${callingCode}${national}`;
  };

  const dialledAbroad = createTrunkZero(library);
  const normalize = (
    written: string,
  ):
    | { number: string; lacksZero: boolean }
    | { value: string; reason: string; remedy?: "country" | "trust" } => {
    const bad = (reason: string) => ({ value: written, reason });
    if (/^\d+[.,]\d+E\+?\d+$/i.test(written)) {
      return bad("a spreadsheet has shortened the number; format the column as text and export again");
    }
    const other = otherThanPhone(written);
    if (other !== undefined) return bad(other);
    const bare = stripPunctuation(written);
    if (!/^\+?\d+$/.test(bare)) return bad("is no phone number");
    if (isSeveral(written)) return bad("looks like several numbers: write each whole, with ; between them");
    let number: string;
    let lacksZero = false;
    if (bare.startsWith("+")) number = dialledAbroad(bare);
    else if (bare.startsWith("00")) number = dialledAbroad(`+${bare.slice(2)}`);
    else if (home === undefined) {
      return { ...bad("has no country code; give the country with --country"), remedy: "country" };
    }
    // Either a plus sign got lost, as in spreadsheets, or it is an area code that begins alike: calling a stranger is
    // worse than asking.
    else if (trunkPrefix === "0" && bare.startsWith(callingCode) && bare.length > callingCode.length + 6) {
      // Without its 0 no number is dialled at home, so it is a number with the plus only.
      const isValid = library.isValidPhoneNumber(`+${bare}`);
      const begins = `begins with ${callingCode}, but with neither + nor 0`;
      if (!isValid) return bad(`${begins}, and +${bare} is no valid number: write it with + or 0`);
      if (trustsCallingCode !== true) {
        const forms = `${begins}: write +${bare}, or 0${bare} if an area code begins so`;
        const flag = trustsCallingCode === undefined ? "" : ", or give --trust-calling-code";
        return { ...bad(`${forms}${flag}`), remedy: "trust" };
      }
      number = `+${bare}`;
    } else {
      number = international(bare);
      lacksZero = trunkPrefix === "0" && !bare.startsWith("0");
    }
    // Such a number can't be dialled (E.164): two stand in the cell. With a plus it is taken as it was meant.
    if (!bare.startsWith("+") && number.length > mostDialled + 1)
      return bad(
        `is too long for a phone number: no more than ${mostDialled} digits with the country's code`,
      );
    const alike = otherThanInvalidPhone(written);
    if (alike !== undefined && !library.isValidPhoneNumber(number)) return bad(alike);
    return isE164(number)
      ? { number, lacksZero }
      : bad("is no phone number: + and 6 to 20 digits are needed");
  };

  /** Judged in international form: an area code alone is too short there. */
  const possible = (part: string): boolean => {
    const result = normalize(part);
    return "number" in result && library.isPossiblePhoneNumber(result.number);
  };

  const remedied = { country: 0, trust: 0 };
  return {
    get withoutCountry() {
      return remedied.country;
    },
    get withoutPlus() {
      return remedied.trust;
    },
    read: (cell) => {
      const text = clean(cell);
      if (text === "") return { numbers: [] };
      const numbers: string[] = [];
      let droppedText: string | undefined;
      let withoutZero: ZeroAdded | undefined;
      for (const part of splitCell(text, (one) => possible(withoutRemark(one).written))) {
        const { written, words } = withoutRemark(part);
        droppedText ??= words;
        const result = normalize(written);
        if ("reason" in result) {
          const { value, reason, remedy } = result;
          if (remedy !== undefined) remedied[remedy] += 1;
          return { value, reason };
        }
        numbers.push(result.number);
        if (result.lacksZero) withoutZero ??= { written, taken: result.number };
      }
      return {
        numbers,
        ...(droppedText === undefined ? {} : { droppedText }),
        ...(withoutZero === undefined ? {} : { withoutZero }),
      };
    },
  };
}

/** Most numbers: nothing but what stands in one. */
const usual = /^[\d+\-./() ]*$/;

/** Without invisible characters, and look-alikes of the plus sign and of digits, as copying from documents brings them. */
function clean(cell: string): string {
  if (usual.test(cell)) return cell.trim();
  return cell
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, "")
    .replace(/[\uff0b\uff10-\uff19]/g, (character) => character.normalize("NFKC"))
    .replace(/^(?:tel|mailto):/i, "")
    .trim();
}

/** `49 (0) 170 1234567`: only a country's calling code stands before a zero in brackets, so its plus is what got lost. */
const lostPlus = /^\s*([1-9]\d{0,2})\s*\(\s*0\s*\)/;

/** Without what may stand between digits, and without the `(0)` that is dialled at home only. */
function stripPunctuation(text: string): string {
  return withoutBracketedZero(text).replace(/[\s\-./()\u2010-\u2015\u2212]/g, "");
}

function withoutBracketedZero(text: string): string {
  if (!text.includes("(")) return text;
  return /^\s*(\+|00)/.test(text) ? text.replace(/\(\s*0\s*\)/, "") : text.replace(lostPlus, "+$1");
}

/**
 * Leaves out a zero that is dialled at home only, though the calling code stands before it: `+49 030 1234567`. Only
 * where the library is certain: the country's trunk prefix is 0, and the number is valid without it. Where numbers keep
 * their zero (Italy), and of what is valid in neither way, nothing is left out.
 */
function createTrunkZero(library: PhoneLibrary): (number: string) => string {
  const callingCodes = new Set<string>(
    library.getCountries().map((country) => library.getCountryCallingCode(country)),
  );
  return (number) => {
    const code = [2, 3, 4].map((end) => number.slice(1, end)).find((digits) => callingCodes.has(digits));
    // Most numbers: the library takes longer than all the rest of a row's reading.
    if (code === undefined || number[code.length + 1] !== "0") return number;
    const without = `+${code}${number.slice(code.length + 2)}`;
    const parsed = library.parsePhoneNumberFromString(number);
    if (parsed?.country === undefined || trunkPrefixOf(library, parsed.country) !== "0") return number;
    return parsed.number === without && parsed.isValid() ? without : number;
  };
}

/** Digits of a number with its country's code, by E.164. */
const mostDialled = 15;
/** Digits that are no area code any more: 0 and five, or a country's code and five. */
const wholeDigits = { national: 8, international: 9 };

/**
 * Is a number followed by another without its area code, or by other extensions? `030 6660070 / 6660071`,
 * `030 6660004/05`, `030 66600 12-15`. A last `/0` is a switchboard's extension.
 */
function isSeveral(written: string): boolean {
  for (let index = written.search(/[/\n]/); index >= 0 && index < written.length; index += 1) {
    if (written[index] !== "/" && written[index] !== "\n") continue;
    const rest = written.slice(index + 1).replace(/[^\d]/g, "");
    if (rest !== "" && rest !== "0" && isWhole(written.slice(0, index))) return true;
  }
  if (!/[-\u2010-\u2015]/.test(written)) return false;
  const range = /^(.*\d{3,}[\s-]+)(\d{1,3})\s*[-\u2010-\u2015]\s*(\d{1,3})$/su.exec(written.trim());
  if (range === null) return false;
  const [, before = "", first = "", last = ""] = range;
  const size = Number(last) - Number(first);
  return first.length === last.length && size > 0 && size <= 20 && isWhole(before);
}

function isWhole(part: string): boolean {
  const bare = stripPunctuation(part);
  const code = /^(?:\+|00)/.exec(bare)?.[0] ?? "";
  return bare.length - code.length >= (code === "" ? wholeDigits.national : wholeDigits.international);
}

/** Words in brackets behind a number: `030 12345 (Praxis)`. */
const remark = /(?<=\d)\s*[([]([^()[\]]*\p{L}[^()[\]]*)[)\]]\s*$/u;

function withoutRemark(part: string): { written: string; words: string | undefined } {
  const found = usual.test(part) ? null : remark.exec(part);
  return { written: part.slice(0, found?.index).trim(), words: found?.[1] };
}

/** Tried in turn: a slash is the least sure of them, then a comma. `:::` is what address books write. */
const separators = [/:::|[;,/|\n]/, /:::|[;,|\n]/, /:::|[;|\n]/];

/**
 * A slash may stand inside one number (04421/123456) or between two (030 12345678 / 0170 1234567): it separates only
 * where every part begins like a number and may be one.
 */
function splitCell(text: string, possible: (part: string) => boolean): string[] {
  for (const separator of separators) {
    if (!separator.test(text)) break;
    const parts = text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== "");
    // The library is asked last: it takes longer than all the rest of a row's reading.
    const separate = parts.length > 1 && parts.every((part) => /^[+0]/.test(stripPunctuation(part)));
    if (separate && parts.every(possible)) return parts;
  }
  return [text.replace(/[;,|\s]+$/, "")];
}

/** How the numbers of a country begin: behind its calling code as E.164 has them, behind its trunk prefix as they are dialled in it. */
export async function beginningsOf(country: string): Promise<{ callingCode: string; trunkPrefix: string }> {
  const library = await import("libphonenumber-js/max");
  const home = checkedCountry(library, country);
  return { callingCode: library.getCountryCallingCode(home), trunkPrefix: trunkPrefixOf(library, home) };
}

/** Is there a country of this code, and how its numbers are written? */
export async function isCountry(code: string): Promise<boolean> {
  return (await import("libphonenumber-js/max")).isSupportedCountry(code.trim().toUpperCase());
}

function checkedCountry(library: PhoneLibrary, country: string): CountryCode {
  const code = country.trim().toUpperCase();
  if (!library.isSupportedCountry(code)) {
    throw new BulkError(
      "unknown_country",
      `--country: “${country}” is no country`,
      "two letters, such as DE, AT or CH",
    );
  }
  return code;
}

/** The digits that go before a number that is dialled within the country: `0` in most. */
export function trunkPrefixOf(library: PhoneLibrary, country: CountryCode): string {
  const metadata = new library.Metadata();
  metadata.selectNumberingPlan(country);
  // Its types leave this method out.
  const plan: unknown = metadata.numberingPlan;
  if (typeof plan !== "object" || plan === null || !("nationalPrefix" in plan)) return "";
  const prefix: unknown = typeof plan.nationalPrefix === "function" ? plan.nationalPrefix() : "";
  return typeof prefix === "string" ? prefix : "";
}
