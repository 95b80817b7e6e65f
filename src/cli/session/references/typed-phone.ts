import { isNationalNumber } from "../../../base/text-matching.js";
import { assertCountry } from "../profile-defaults.js";
import type { ProfileOfReading } from "./references.js";

interface TypedPhone {
  /** In E.164; undefined where it is not certain. */
  number?: string | undefined;
  /** The profile's, where the number was read by it. */
  country?: string | undefined;
  /** Why there is no number, as it follows the typed text in a sentence. */
  reason?: string;
}

/**
 * A phone number as a person types it, read as an import reads one: a number without its country's code is one of the
 * profile's country.
 * @throws usage error (2) where the profile's country is none
 */
export async function readTypedPhone(
  typed: string,
  { name, defaults }: ProfileOfReading,
): Promise<TypedPhone> {
  const isNational = isNationalNumber(typed);
  const country = isNational ? defaults?.country : undefined;
  if (isNational && country === undefined) return {};
  if (country !== undefined) await assertCountry(country, name);
  const { createPhoneReader } = await import("../../../bulk/contacts/phones.js");
  const result = (await createPhoneReader({ country })).read(typed);
  if ("reason" in result) return { country, reason: result.reason };
  const [number, ...otherNumbers] = result.numbers;
  // Words behind it, or a second one, are for whoever reads a file: one typed value is one number.
  return otherNumbers.length === 0 && result.droppedText === undefined ? { number, country } : { country };
}
