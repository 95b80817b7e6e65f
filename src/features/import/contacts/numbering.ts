import type { CountryCode, E164Number } from "libphonenumber-js/max";
import { BulkError } from "../../../write/errors.js";

type PhoneLibrary = typeof import("libphonenumber-js/max");

/** Converts the national numbers of a country or a calling code to E.164. */
export interface NumberingPlan {
  /** Name in messages: `DE`, or `+43` if only the calling code is known. */
  name: string;
  callingCode: string;
  /** Digits dialed before an area code within the country; usually `0`. */
  trunkPrefix: string;
  /** Converts the digits that are dialed within the country to E.164. The result may be invalid. */
  complete(digits: string): string;
  completeAbroad(digits: string): string;
  explainInvalid(number: string): string;
}

export interface Numbering {
  /** @throws BulkError `unknown_country` */
  planOf(country: string): NumberingPlan;
  /** Returns the numbering plan for a calling code such as `43`; undefined if no country has this code. */
  planOfCode(callingCode: string): NumberingPlan | undefined;
  isValid(number: string): boolean;
  isPossible(number: string): boolean;
  /**
   * Removes a trunk prefix after the calling code, as in `+49 030 1234567` or `+36 06 20 1234567`. The prefix
   * must begin with 0, and the result must be valid. Keeps the zero of Italian numbers.
   */
  withoutTrunkPrefix(number: string): string;
}

export async function loadNumbering(): Promise<Numbering> {
  const library = await import("libphonenumber-js/max");
  const plans = new Map<string, NumberingPlan>();
  const callingCodes = new Set<string>(
    library.getCountries().map((country) => library.getCountryCallingCode(country)),
  );
  const findCallingCode = (number: string) =>
    [2, 3, 4].map((end) => number.slice(1, end)).find((digits) => callingCodes.has(digits));
  const isComplete = (number: string): number is E164Number => {
    const code = findCallingCode(number);
    return code !== undefined && number.length > code.length + 1 && /^\+\d+$/.test(number);
  };
  const isValid = rememberLast(
    (number) =>
      // Fast path for most numbers: the library's parser takes three times as long.
      (isComplete(number) && new library.PhoneNumber(number).isValid()) || library.isValidPhoneNumber(number),
  );
  const planOf = (country: CountryCode, name: string): NumberingPlan => {
    const known = plans.get(name);
    if (known !== undefined) return known;
    const plan = createPlan(library, isValid, country, name);
    plans.set(name, plan);
    return plan;
  };
  return {
    planOf: (country) => {
      const code = checkedCountry(library, country);
      return planOf(code, code);
    },
    planOfCode: (callingCode) => {
      if (!callingCodes.has(callingCode)) return undefined;
      return planOf(mainCountryOf(library, callingCode), `+${callingCode}`);
    },
    isValid,
    isPossible: (number) => library.isPossiblePhoneNumber(number),
    withoutTrunkPrefix: (number) => {
      const code = findCallingCode(number);
      // Return early for most numbers: calling the library takes longer than all other work for a row.
      if (code === undefined || number[code.length + 1] !== "0") return number;
      const parsed = library.parsePhoneNumberFromString(number);
      const trunkPrefix = parsed?.country === undefined ? "" : trunkPrefixOf(library, parsed.country);
      const national = number.slice(code.length + 1);
      if (trunkPrefix === "" || !national.startsWith(trunkPrefix)) return number;
      const without = `+${code}${national.slice(trunkPrefix.length)}`;
      return parsed?.number === without && parsed.isValid() ? without : number;
    },
  };
}

/** Caches the last result, because each number is checked several times and the check is slow. */
function rememberLast(judge: (number: string) => boolean): (number: string) => boolean {
  let last: { number: string; verdict: boolean } | undefined;
  return (number) => {
    if (last?.number !== number) last = { number, verdict: judge(number) };
    return last.verdict;
  };
}

function createPlan(
  library: PhoneLibrary,
  isValid: (number: string) => boolean,
  country: CountryCode,
  name: string,
): NumberingPlan {
  const callingCode: string = library.getCountryCallingCode(country);
  const trunkPrefix = trunkPrefixOf(library, country);
  return {
    ...{ name, callingCode, trunkPrefix },
    complete(digits) {
      const hasZero = trunkPrefix === "0" && digits.startsWith("0");
      // The service also replaces a leading 0 with the calling code (D-normalize).
      const plain = `+${callingCode}${hasZero ? digits.slice(1) : digits}`;
      if (hasZero && isValid(plain)) return plain;
      // The library also supports other trunk prefixes, carrier codes, and countries such as Italy, whose
      // numbers keep the 0.
      const parsed = library.parsePhoneNumberFromString(digits, country);
      if (parsed === undefined || (hasZero && !parsed.isValid())) return plain;
      // The library also accepts digits that start with a calling code but have no plus. Such digits are not
      // a national number.
      const hasCallingCode = parsed.number === `+${digits}` && trunkPrefix !== callingCode;
      return hasCallingCode ? plain : parsed.number;
    },
    completeAbroad(digits) {
      const number = `+${digits.slice(2)}`;
      if (isValid(number)) return number;
      // `00` can be part of a longer international prefix, such as 0011 in Australia.
      const parsed = library.parsePhoneNumberFromString(digits, country);
      return parsed?.isValid() ? parsed.number : number;
    },
    explainInvalid(number) {
      const error = findLengthError(library, number);
      if (error === undefined) return `is not in an assigned number range of ${name}`;
      return `is too ${error} for a number in ${name}`;
    },
  };
}

/** Maximum number of characters in an E.164 number, including the plus. */
const longest = 16;

function findLengthError(library: PhoneLibrary, number: string): "short" | "long" | undefined {
  const verdict = library.validatePhoneNumberLength(number);
  if (verdict === "TOO_SHORT") return "short";
  if (verdict === "TOO_LONG") return "long";
  // The library knows the valid lengths for each country but not for each number range. Check whether the
  // number would be valid with more or fewer digits.
  for (let length = number.length + 1; length <= longest; length += 1)
    if (library.isValidPhoneNumber(number.padEnd(length, "2"))) return "short";
  for (let length = number.length - 1; length > 1; length -= 1)
    if (library.isValidPhoneNumber(number.slice(0, length))) return "long";
  return undefined;
}

/** Returns a country's calling code (`49`) and its trunk prefix, which is dialed within the country (`0`). */
export async function beginningsOf(country: string): Promise<{ callingCode: string; trunkPrefix: string }> {
  const library = await import("libphonenumber-js/max");
  const home = checkedCountry(library, country);
  return { callingCode: library.getCountryCallingCode(home), trunkPrefix: trunkPrefixOf(library, home) };
}

export async function isCountry(code: string): Promise<boolean> {
  return (await import("libphonenumber-js/max")).isSupportedCountry(code.trim().toUpperCase());
}

function checkedCountry(library: PhoneLibrary, country: string): CountryCode {
  const code = country.trim().toUpperCase();
  if (!library.isSupportedCountry(code)) {
    throw new BulkError(
      "unknown_country",
      `invalid --country "${country}": expected a two-letter country code`,
      "use a code such as DE, AT or CH",
    );
  }
  return code;
}

export function trunkPrefixOf(library: PhoneLibrary, country: CountryCode): string {
  const metadata = new library.Metadata();
  metadata.selectNumberingPlan(country);
  // The library's type declarations lack `nationalPrefix`.
  const plan: unknown = metadata.numberingPlan;
  if (typeof plan !== "object" || plan === null || !("nationalPrefix" in plan)) return "";
  const prefix: unknown = typeof plan.nationalPrefix === "function" ? plan.nationalPrefix() : "";
  return typeof prefix === "string" ? prefix : "";
}

/** Returns the main country of a calling code: for 1, the United States and not Antigua. */
function mainCountryOf(library: PhoneLibrary, callingCode: string): CountryCode {
  const metadata: unknown = new library.Metadata();
  const hasList =
    typeof metadata === "object" && metadata !== null && "getCountryCodesForCallingCode" in metadata;
  // The library's type declarations lack this method.
  const list: unknown =
    hasList && typeof metadata.getCountryCodesForCallingCode === "function"
      ? metadata.getCountryCodesForCallingCode(callingCode)
      : [];
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  const known = library.getCountries();
  const country =
    known.find((code) => code === first) ??
    known.find((code) => library.getCountryCallingCode(code) === callingCode);
  if (country === undefined) throw new Error(`unknown calling code ${callingCode}`);
  return country;
}
