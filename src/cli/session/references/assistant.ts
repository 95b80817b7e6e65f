import { collectTexts, isPhone, isSamePhone } from "../../../base/text-matching.js";
import type { Referable } from "./references.js";

export const assistant: Referable = {
  list: "assistants.list",
  noun: "assistant",
  given: "name, phone number or ID",
  distinction: "phone_number",
  labels: ({ name, phone_number: number }) => [collectTexts(name)[0] ?? "", ...collectTexts(number)],
  isSame: isSamePhone,
  // Never suggest a phone number, because a similar number belongs to someone else.
  isGuess: (label) => !isPhone(label),
};
