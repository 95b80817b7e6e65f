/** A rule and how to break it: the one place in a source that is replaced, so that the rule no longer holds. */
export interface Mutant {
  rule: string;
  /** Below src/. */
  file: string;
  find: string;
  replace: string;
}

/** Mutants of one source, named without its ending. */
export function inFile(
  file: string,
  changes: readonly (readonly [rule: string, find: string, replace: string])[],
): Mutant[] {
  return changes.map(([rule, find, replace]) => ({ rule, file: `${file}.ts`, find, replace }));
}
