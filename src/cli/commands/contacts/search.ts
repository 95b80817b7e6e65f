import {
  collectTexts,
  createPhoneMatcher,
  createWordMatcher,
  isDialled,
  toInternationalPrefix,
} from "../../../base/text-matching.js";
import type { RowFilter } from "../../derive/row-filters.js";
import type { Fields } from "../../output/fields.js";
import { assertCountry } from "../../session/profile-defaults.js";
import type { Session } from "../../session/session.js";

/** Fields that don't identify a contact: a match in them would be a coincidence. */
const notSearched = /(^|_)id$|_at$|^phone_numbers$/;

/**
 * A judgement of contacts: every word of the text begins a word of a name, an e-mail address or another text of theirs.
 * A number that is dialled with a zero is one of the profile's country, which is said.
 * @throws usage error (2) where the profile's country is none
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
  const { beginningsOf } = await import("../../../bulk/contacts/numbering.js");
  const beginning = toInternationalPrefix(typed, await beginningsOf(country));
  session.notes.note(
    `--search ${typed}: taken as +${beginning}…, by the country ${country} of the profile ${name}`,
  );
  return beginning;
}

export const searchFilter: RowFilter = {
  flag: {
    name: "search",
    value: "text|number",
    description:
      "only contacts with words that begin so, in names or e-mails, or with a number: +4915 and 0171 begin it, other digits (three at least) stand anywhere",
  },
  read: createContactMatcher,
};
