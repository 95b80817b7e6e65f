/** A rule, what its code says, and what it says when it is broken. Where that code stands is found by the rule's comment. */
export type Change = readonly [rule: string, find: string, replace: string];

/** An API rule and how to break it: one location in the declaration whose comment names the rule. */
export interface Mutant {
  rule: string;
  find: string;
  replace: string;
}

export function toMutant([rule, find, replace]: Change): Mutant {
  return { rule, find, replace };
}
