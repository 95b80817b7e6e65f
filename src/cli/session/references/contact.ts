import { isNationalNumber, isSamePhone, textsIn } from "../../../base/text-matching.js";
import type { Referable } from "./references.js";

/** A contact: by its whole name, one of its phone numbers or one of its e-mail addresses. */
export const contact: Referable = {
  list: "contacts.list",
  noun: "contact",
  given: "id, name, phone number or e-mail",
  labels: ({ first_name: first, last_name: last, emails, phone_numbers: numbers }) => [
    [...textsIn(first), ...textsIn(last)].join(" ").trim(),
    ...textsIn(emails),
    ...textsIn(numbers),
  ],
  search: "search",
  isSame: isSamePhone,
  read: async (typed, { defaults }) => {
    if (!isNationalNumber(typed)) return { value: typed };
    const country = defaults?.country;
    if (country === undefined) {
      const hint =
        "A number without its country's code is not looked for: write +49…, or give your profile a country: voxctl profiles set NAME country=DE.";
      return { value: typed, hint };
    }
    const { createPhoneReader } = await import("../../../bulk/contacts/phones.js");
    const result = (await createPhoneReader({ country })).read(typed);
    if ("reason" in result)
      return { value: typed, hint: `In the country ${country}, ${typed} ${result.reason}.` };
    return { value: result.numbers[0] ?? typed };
  },
};
