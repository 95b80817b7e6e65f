import { quoteWord } from "../../../base/shell-words.js";
import { isNationalNumber } from "../../../base/text-matching.js";
import { E164 } from "../../../contract/primitives.js";
import type { Written } from "../../derive/ask.js";
import { usageError } from "../../errors/errors.js";
import { readTypedPhone } from "../../session/references/typed-phone.js";
import type { Session } from "../../session/session.js";

/**
 * For a number without a country code, such as `0171 2345678`, uses the profile's country and returns a note.
 * Returns other text unchanged; validation rejects it.
 * @throws usage error (2) if the number or the profile's country is invalid, or if the profile has no country
 */
export async function readWrittenNumber(typed: string, flag: string, session: Session): Promise<Written> {
  if (E164.safeParse(typed).success) return { value: typed };
  const profile = await session.profile();
  if (isNationalNumber(typed) && profile.defaults?.country === undefined)
    throw usageError(
      `invalid ${flag} ${typed}: the country code is missing; expected a number such as +4915112345678`,
      {
        // A profile from environment variables has no stored country.
        hint:
          profile.chosenBy === "environment"
            ? "add the country code, such as +49 for Germany"
            : `set the country for such numbers: \`voxctl profiles set ${quoteWord(profile.name)} country=DE\``,
      },
    );
  const { number, country, reason } = await readTypedPhone(typed, profile);
  if (country !== undefined && reason !== undefined)
    throw usageError(
      `${flag}: ${typed} ${reason} (country of profile "${profile.name}": ${country}); expected a number such as +4915112345678`,
    );
  if (number === undefined || country === undefined) return { value: number ?? typed };
  const by = `country of profile "${profile.name}": ${country}`;
  return { value: number, note: `Reading ${flag} ${typed} as ${number} (${by})` };
}
