import type { ScenarioResult } from "./run.js";

/** What went wrong with a scenario, on one line. */
export function summaryOf({ checks, error }: ScenarioResult): string {
  if (error) return error.message;
  return checks
    .filter(({ met }) => !met)
    .map(({ field, expected, actual }) => `${field}: expected ${expected}, ${wasText(actual)}`)
    .join("; ");
}

/** What was in place of what was expected, in a sentence. */
export function wasText(actual: string): string {
  return /^(was|there|still) /.test(actual) ? actual : `was ${actual}`;
}
