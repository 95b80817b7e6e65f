import { recordOf } from "../../write/values.js";
import { certain, type Matcher } from "./matcher.js";
import type { Findings, FoundResource } from "./organization.js";

/**
 * Returns the phone numbers and email addresses in the caller's contacts that were not searched for. They may
 * also belong to the caller.
 */
export function findFurther(resources: readonly FoundResource[], matcher: Matcher): string[] {
  const further = new Set<string>();
  for (const { where, record, occurrences } of resources) {
    if (where !== "contacts" || !occurrences.some(({ certainty }) => certainty === certain)) continue;
    const { phone_numbers: numbers, emails } = recordOf(record);
    for (const list of [numbers, emails])
      for (const value of Array.isArray(list) ? list : [])
        if (typeof value === "string" && value !== "" && matcher.find(value).length === 0) further.add(value);
  }
  return [...further];
}

export function listCallerIds({ resources }: Pick<Findings, "resources">): string[] {
  return resources
    .filter(({ where }) => where === "contacts" || where === "calls")
    .filter(({ occurrences }) => occurrences.some(({ certainty }) => certainty === certain))
    .map(({ id }) => id);
}
