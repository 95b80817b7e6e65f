import { isNationalNumber } from "../../../base/text-matching.js";
import { E164 } from "../../../contract/primitives.js";
import type { Written } from "../../derive/ask.js";
import { usageError } from "../../errors/errors.js";
import { quoteWord } from "../../errors/shell-words.js";
import { readTypedPhone } from "../../session/references/typed-phone.js";
import type { Session } from "../../session/session.js";

/**
 * Normalizes a typed phone number: `+49 171 2345678`, or `0171 2345678` with the profile's country, which the caller must
 * report. Returns other text unchanged; validation rejects it.
 * @throws usage error (2) if the profile has no country or an invalid one, or the number is invalid there
 */
export async function readWrittenNumber(typed: string, flag: string, session: Session): Promise<Written> {
  if (E164.safeParse(typed).success) return { value: typed };
  const profile = await session.profile();
  if (isNationalNumber(typed) && profile.defaults?.country === undefined)
    throw usageError(
      `${flag}: must be a phone number like +4915112345678; ${typed} lacks its country's code`,
      {
        // What the environment says is no stored profile, and has no country.
        hint:
          profile.chosenBy === "environment"
            ? "write it with the code: +49 for Germany"
            : `voxctl profiles set ${quoteWord(profile.name)} country=DE reads such numbers as Germany's`,
      },
    );
  const { number, country, reason } = await readTypedPhone(typed, profile);
  if (country !== undefined && reason !== undefined)
    throw usageError(
      `${flag}: must be a phone number like +4915112345678; in the country ${country} of the profile ${profile.name}, ${typed} ${reason}`,
    );
  if (number === undefined || country === undefined) return { value: number ?? typed };
  const by = `by the country ${country} of the profile ${profile.name}`;
  return { value: number, note: `${flag} ${typed}: taken as ${number}, ${by}` };
}
