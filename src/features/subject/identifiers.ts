import { BulkError } from "../../write/errors.js";
import { trunkPrefixOf } from "../import/contacts/numbering.js";
import { createPhoneReader } from "../import/contacts/phones.js";

/** Each spelling of the number combines some of these parts. */
export interface PhoneNumber {
  /** Calling code of the country; empty if unknown. */
  code: string;
  subscriberNumber: string;
  /** Forms of the number as dialed within its country, such as `015112345678`. */
  national: readonly string[];
  /** Whether the number has the calling code of the specified country. */
  isHome: boolean;
}

export interface Identifiers {
  numbers: readonly PhoneNumber[];
  /** Email addresses in lowercase. */
  emails: readonly string[];
  names: readonly string[];
}

export interface TypedSubject {
  phones: readonly string[];
  emails: readonly string[];
  names: readonly string[];
  /** ISO 3166 code, such as `DE`, of the country in which numbers without a country code are dialed. */
  country: string | undefined;
}

/** @throws BulkError `unknown_country`, `invalid_identifier` */
export async function readIdentifiers({
  phones,
  emails,
  names,
  country,
}: TypedSubject): Promise<Identifiers> {
  const reader = await createPhoneReader({ country });
  const numbers = new Set<string>();
  for (const phone of phones) {
    const result = reader.read(phone);
    if ("reason" in result)
      throw invalid(`--phone: “${phone}” ${result.reason}`, "use a number such as +4915112345678");
    if (result.numbers.length === 0) throw invalid("--phone is empty", "use a number such as +4915112345678");
    for (const number of result.numbers) numbers.add(number);
  }
  for (const email of emails)
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim()))
      throw invalid(`invalid --email “${email}”`, "use an address such as anna@example.org");
  for (const name of names)
    if (splitWords(name).length === 0) throw invalid("--name is empty", 'use a name such as "Anna Schmidt"');
  return {
    numbers: await Promise.all([...numbers].map((number) => describeNumber(number, country))),
    emails: [...new Set(emails.map((email) => email.normalize("NFC").trim().toLowerCase()))],
    names: [...new Set(names.map((name) => splitWords(name).join(" ")))],
  };
}

export function splitWords(name: string): string[] {
  return name
    .normalize("NFC")
    .split(/[\s,;]+/u)
    .filter((word) => word !== "");
}

async function describeNumber(number: string, country: string | undefined): Promise<PhoneNumber> {
  const library = await import("libphonenumber-js/max");
  const parsed = library.parsePhoneNumberFromString(number);
  const digits = number.slice(1);
  if (parsed === undefined) return { code: "", subscriberNumber: digits, national: [], isHome: false };
  const code = String(parsed.countryCallingCode);
  const subscriberNumber = digits.slice(code.length);
  const own = parsed.formatNational().replace(/\D/g, "");
  // The library omits the trunk prefix (the leading 0) of short numbers, but users type it.
  const usesZero = parsed.country === undefined || trunkPrefixOf(library, parsed.country) === "0";
  const national = new Set([own, ...(usesZero ? [`0${subscriberNumber}`] : [])]);
  const home = country?.trim().toUpperCase();
  const isHome =
    home !== undefined &&
    library.isSupportedCountry(home) &&
    String(library.getCountryCallingCode(home)) === code;
  return { code, subscriberNumber, national: [...national].filter((spelling) => spelling !== ""), isHome };
}

function invalid(message: string, hint: string): BulkError {
  return new BulkError("invalid_identifier", message, hint);
}
