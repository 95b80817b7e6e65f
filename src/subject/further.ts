import { recordOf } from "../bulk/values.js";
import { certain, type Matcher } from "./matcher.js";
import type { Findings, FoundResource } from "./organization.js";

/**
 * Numbers and addresses of contacts that are the caller's, which were not looked for: a person decides whether they are
 * the caller's, too.
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

/** Ids by which traces of the caller are found that say no number: of their contacts, and of calls in which they occur. */
export function listCallerIds({ resources }: Pick<Findings, "resources">): string[] {
  return resources
    .filter(({ where }) => where === "contacts" || where === "calls")
    .filter(({ occurrences }) => occurrences.some(({ certainty }) => certainty === certain))
    .map(({ id }) => id);
}
