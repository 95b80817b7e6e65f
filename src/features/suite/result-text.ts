import type { ScenarioResult } from "./results.js";

/** Returns the failure of a scenario as one line. */
export function formatResultSummary({ checks, error, reason }: ScenarioResult): string {
  if (error) return error.message;
  if (reason !== undefined) return reason;
  return checks
    .filter(({ met }) => !met)
    .map(({ field, expected, actual }) => `${field}: expected ${expected}, ${formatActual(actual)}`)
    .join("; ");
}

/** Formats an actual value for a sentence that also contains the expected value. */
export function formatActual(actual: string): string {
  return /^(still|found) /.test(actual) ? actual : `was ${actual}`;
}
