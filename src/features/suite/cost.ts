import type { Scenario } from "./suite.js";

/** Assumed duration of a call whose scenario specifies none. */
const guessedMilliseconds = 60_000;

/** Each call is billed for at least one minute (public.operations.16). */
export function estimateMinutes(scenarios: readonly Scenario[]): number {
  return scenarios.reduce(
    (sum, scenario) => sum + Math.ceil(estimateLength(scenario) / guessedMilliseconds),
    0,
  );
}

/**
 * Estimates the longest duration of a scenario's call, in milliseconds: at least one minute, but not more
 * than the timeout.
 */
export function estimateLength(scenario: Scenario): number {
  const { expect, timeoutMilliseconds } = scenario;
  const { at_least = 0, at_most = 0 } = expect.duration ?? {};
  const longestMilliseconds = Math.max(guessedMilliseconds, at_least, at_most);
  return Math.min(timeoutMilliseconds, longestMilliseconds);
}
