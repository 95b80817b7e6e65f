import {
  collectTexts,
  isNationalNumber,
  isPhone,
  isSamePhone,
  isSameSubscriber,
} from "../../../base/text-matching.js";
import type { Referable } from "./references.js";
import { readTypedPhone } from "./typed-phone.js";

export const contact: Referable = {
  list: "contacts.list",
  noun: "contact",
  given: "ID, name, phone number or email",
  labels: ({ first_name: first, last_name: last, emails, phone_numbers: numbers }) => [
    [...collectTexts(first), ...collectTexts(last)].join(" ").trim(),
    ...collectTexts(emails),
    ...collectTexts(numbers),
  ],
  search: "search",
  isSame: isSamePhone,
  // Never suggest another contact's phone number.
  isGuess: (label, typed) => !isPhone(typed) || isSameSubscriber(label, typed),
  read: async (typed, profile) => {
    if (!isNationalNumber(typed)) return { value: typed };
    const { number, country, reason } = await readTypedPhone(typed, profile);
    if (number !== undefined) return { value: number };
    if (country === undefined) {
      const hint =
        "add a country code, such as +49, or set the profile's country: `voxctl profiles set NAME country=DE`";
      return { value: typed, hint };
    }
    if (reason === undefined) return { value: typed };
    return { value: typed, hint: `in country ${country}, ${typed} ${reason}` };
  },
};
