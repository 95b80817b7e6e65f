import { scanTests } from "../rules/scan.js";
import { callsMutants } from "./calls.js";
import { contractMutants } from "./contract.js";
import { distributorMutants } from "./distributor.js";
import { kernelMutants } from "./kernel.js";
import { type Mutant, toMutant } from "./mutant.js";
import { publicMutants } from "./public.js";

/** All mutants: at least one for every API rule that a single line implements. */
export const mutants: readonly Mutant[] = [
  ...contractMutants,
  ...kernelMutants,
  ...publicMutants,
  ...callsMutants,
  ...distributorMutants,
].map(toMutant);

/** Files that need the built command, or that are slow and covered by other files. */
const leftOut =
  /^(?:(?:acceptance|tools|project|cli|docs|model|bulk|fuzz)\/|emulator\/(?:killed-server|statistics-at-size)$)/;

/** Returns the test files, below `root`, that name each rule and can detect its mutant. */
export function findTestsByRule(root: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { file, rules } of scanTests(root).tests) {
    if (leftOut.test(file)) continue;
    for (const rule of rules.keys()) {
      const known = files.get(rule) ?? [];
      const path = `test/${file}.test.ts`;
      if (!known.includes(path)) files.set(rule, [...known, path]);
    }
  }
  return files;
}

/**
 * Returns a pattern for vitest's `-t` that matches titles with one of the rules in brackets or before a
 * colon.
 */
export function createTitlePattern(rules: readonly string[]): string {
  const names = rules.map((rule) => rule.replaceAll(".", "\\.")).join("|");
  return `(\\[|[ ,])(${names})[\\] ,:]`;
}
