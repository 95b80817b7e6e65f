import { recordOf } from "../bulk/values.js";
import type { Matcher } from "./matcher.js";
import type { FoundThing } from "./organization.js";

/**
 * Numbers and addresses of contacts that are the caller's, which were not looked for: a person decides whether they are
 * the caller's, too.
 */
export function furtherOf(things: readonly FoundThing[], matcher: Matcher): string[] {
  const further = new Set<string>();
  for (const { where, record, occurrences } of things) {
    if (where !== "contacts" || !occurrences.some(({ certainty }) => certainty === "certain")) continue;
    const { phone_numbers: numbers, emails } = recordOf(record);
    for (const list of [numbers, emails])
      for (const value of Array.isArray(list) ? list : [])
        if (typeof value === "string" && value !== "" && matcher.find(value).length === 0) further.add(value);
  }
  return [...further];
}
