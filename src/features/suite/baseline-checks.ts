import { isScenarioName } from "./attempts.js";
import { type Baseline, type Difference, findBaselineDifferences } from "./baseline.js";
import type { Check } from "./expectations.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

const prefix = "baseline.";

export function isBaselineCheck({ field }: Pick<Check, "field">): boolean {
  return field.startsWith(prefix);
}

/**
 * Adds the differences from a baseline to the results, as failed expectations. The returned notes contain
 * warnings, and name the scenarios in the baseline that the suite no longer has.
 */
export function applyBaseline(
  results: readonly ScenarioResult[],
  { before, after, whole }: { before: Baseline; after: Baseline; whole: Suite },
): { results: ScenarioResult[]; notes: string[] } {
  const called = new Set(results.map(({ scenario }) => scenario.name));
  const differences = findBaselineDifferences(before, after).filter(({ scenario }) => called.has(scenario));
  const removed = before.scenarios.filter(
    ({ scenario }) => !whole.scenarios.some((entry) => isScenarioName(scenario, entry)),
  );
  return {
    results: results.map((entry) => {
      const checks = toFailedChecks(differences, entry.scenario.name);
      if (checks.length === 0) return entry;
      const result = entry.result === "passed" ? "failed" : entry.result;
      return { ...entry, result, checks: [...entry.checks, ...checks] };
    }),
    notes: [
      ...differences.filter(({ isWarning }) => isWarning).map(formatWarning),
      ...removed.map(
        ({ scenario, result }) =>
          `"${scenario}": in the baseline (${result}), but not in the suite (warning)`,
      ),
    ],
  };
}

export function isOnlyDifferent({ result, checks }: Pick<ScenarioResult, "result" | "checks">): boolean {
  const unmet = checks.filter(({ met }) => !met);
  return result === "failed" && unmet.length > 0 && unmet.every(isBaselineCheck);
}

function formatWarning({ scenario, field, before, after }: Difference): string {
  if (field === "scenario" && before === "missing") return `"${scenario}": not in the baseline (warning)`;
  return `"${scenario}": ${field} changed from ${before} to ${after} (warning)`;
}

function toFailedChecks(differences: readonly Difference[], scenario: string): Check[] {
  return (
    differences
      // A failed scenario fails the run even without this difference.
      .filter((entry) => entry.scenario === scenario && !entry.isWarning && entry.field !== "result")
      .map(({ field, before, after }) => ({
        field: `${prefix}${field}`,
        expected: before,
        met: false,
        actual: after,
      }))
  );
}
