/**
 * An API rule, the code that implements the rule, and broken code. The comment that names the rule locates
 * the code.
 */
export type Change = readonly [rule: string, find: string, replace: string];

export interface Mutant {
  rule: string;
  find: string;
  replace: string;
}

export function toMutant([rule, find, replace]: Change): Mutant {
  return { rule, find, replace };
}
