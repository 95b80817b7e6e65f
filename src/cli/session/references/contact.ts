import { isSamePhone, textsIn } from "../../../base/text-matching.js";
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
  isSame: isSamePhone,
};
