import { isNationalNumber } from "../../../base/text-matching.js";
import { assertCountry } from "../profile-defaults.js";
import type { ProfileOfReading } from "./references.js";

interface TypedPhone {
  /** Number in E.164 format; undefined if uncertain. */
  number?: string | undefined;
  /** The profile's country, if it was used to interpret the number. */
  country?: string | undefined;
  reason?: string;
}

/**
 * Parses a phone number by the rules of an import. A number without a country code gets the code of the
 * profile's country.
 * @throws usage error (2) if the profile's country is invalid
 */
export async function readTypedPhone(
  typed: string,
  { name, defaults }: ProfileOfReading,
): Promise<TypedPhone> {
  const isNational = isNationalNumber(typed);
  const country = isNational ? defaults?.country : undefined;
  if (isNational && country === undefined) return {};
  if (country !== undefined) await assertCountry(country, name);
  const { createPhoneReader } = await import("../../../features/import/contacts/phones.js");
  const result = (await createPhoneReader({ country })).read(typed);
  if ("reason" in result) return { country, reason: result.reason };
  const [number, ...otherNumbers] = result.numbers;
  // Reject additional words and second numbers. Only imports accept them.
  return otherNumbers.length === 0 && result.droppedText === undefined ? { number, country } : { country };
}
