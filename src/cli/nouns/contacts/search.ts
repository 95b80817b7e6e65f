import type { Fields } from "../../../base/fields.js";
import {
  collectTexts,
  createPhoneMatcher,
  createWordMatcher,
  isDialled,
  toInternationalPrefix,
} from "../../../base/text-matching.js";
import type { RowFilter } from "../../derive/row-filters.js";
import { assertCountry } from "../../session/profile-defaults.js";
import type { Session } from "../../session/session.js";

/** Fields that a search for words ignores: a match in an ID, a time or a number would be a coincidence. */
const notSearched = /(^|_)id$|_at$|^phone_numbers$/;

/**
 * For a number with a leading zero, uses the profile's country and prints a note.
 * @throws usage error (2) if the profile's country is invalid
 */
export async function createContactMatcher(
  typed: string,
  session: Session,
): Promise<(contact: Fields) => boolean> {
  const isNumber = createPhoneMatcher(typed, await findNumberPrefix(typed, session));
  if (isNumber) return ({ phone_numbers: numbers }) => collectTexts(numbers).some(isNumber);
  const isMatch = createWordMatcher(typed);
  return (contact) => {
    const texts = Object.entries(contact).flatMap(([name, value]) =>
      notSearched.test(name) ? [] : collectTexts(value),
    );
    return isMatch(texts.join(" "));
  };
}

async function findNumberPrefix(typed: string, session: Session): Promise<string | undefined> {
  if (!isDialled(typed)) return undefined;
  const { name, defaults } = await session.profile();
  const country = defaults?.country;
  if (country === undefined) return undefined;
  await assertCountry(country, name);
  const { beginningsOf } = await import("../../../features/import/contacts/numbering.js");
  const beginning = toInternationalPrefix(typed, await beginningsOf(country));
  session.notes.note(`Searching for ${typed} as +${beginning}… (country of profile "${name}": ${country})`);
  return beginning;
}

export const searchFilter: RowFilter = {
  flag: {
    name: "search",
    value: "text|number",
    description:
      "Find contacts by the start of a word in any field, or by phone number. Digits that begin with + or 0 match the start of a number; other digits (at least 3) match anywhere in it",
  },
  read: createContactMatcher,
};
