import type { ScenarioResult } from "./results.js";

/** The failure of a scenario, on one line. */
export function summaryOf({ checks, error }: ScenarioResult): string {
  if (error) return error.message;
  return checks
    .filter(({ met }) => !met)
    .map(({ field, expected, actual }) => `${field}: expected ${expected}, ${wasText(actual)}`)
    .join("; ");
}

/** The found value in place of the expected one, in a sentence. */
export function wasText(actual: string): string {
  return /^(was|there|still) /.test(actual) ? actual : `was ${actual}`;
}
