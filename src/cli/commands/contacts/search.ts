import { phoneMatcher, textsIn, wordMatcher } from "../../../base/text-matching.js";
import type { RowFilter } from "../../derive/row-filters.js";
import type { Fields } from "../../output/fields.js";

/** Fields that name no person: a text that stands in them by chance is no match. */
const notSearched = /(^|_)id$|_at$|^phone_numbers$/;

/** A judgement of contacts: every word of the text begins a word of a name, an e-mail address or another text of theirs. */
export function contactMatcher(typed: string): (contact: Fields) => boolean {
  const isNumber = phoneMatcher(typed);
  if (isNumber) return ({ phone_numbers: numbers }) => textsIn(numbers).some(isNumber);
  const isMeant = wordMatcher(typed);
  return (contact) => {
    const texts = Object.entries(contact).flatMap(([name, value]) =>
      notSearched.test(name) ? [] : textsIn(value),
    );
    return isMeant(texts.join(" "));
  };
}

export const searchFilter: RowFilter = {
  flag: {
    name: "search",
    value: "text|number",
    description:
      "only contacts with words that begin so, in names or e-mails, or with a number that begins so: +4915, or three digits at least: 0171",
  },
  read: contactMatcher,
};
