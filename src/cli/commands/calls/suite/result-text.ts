import type { ScenarioResult } from "./results.js";

/** The failure of a scenario, on one line. */
export function formatResultSummary({ checks, error }: ScenarioResult): string {
  if (error) return error.message;
  return checks
    .filter(({ met }) => !met)
    .map(({ field, expected, actual }) => `${field}: expected ${expected}, ${formatActual(actual)}`)
    .join("; ");
}

/** The found value in place of the expected one, in a sentence. */
export function formatActual(actual: string): string {
  return /^(was|there|still) /.test(actual) ? actual : `was ${actual}`;
}
