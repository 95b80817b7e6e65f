import { isBaselineCheck } from "./baseline-checks.js";
import type { Check } from "./expectations.js";
import type { ScenarioResult } from "./results.js";

export function formatResultSummary({ checks, error, reason }: ScenarioResult): string {
  if (error) return error.message;
  if (reason !== undefined) return reason;
  return checks
    .filter(({ met }) => !met)
    .map((check) => `${check.field}: expected ${check.expected}, ${formatActual(check)}`)
    .join("; ");
}

/** Formats an actual value for a sentence that already contains the expected value. */
export function formatActual(check: Check): string {
  if (/^(still|found) /.test(check.actual)) return check.actual;
  return `${isBaselineCheck(check) ? "is now" : "was"} ${check.actual}`;
}
