import type { Scenario } from "./suite.js";

/** Estimated duration of a call whose scenario specifies no duration. */
const guessedMilliseconds = 60_000;

/** Estimates the billed minutes. Each call is billed for at least one (public.operations.16). */
export function estimateMinutes(scenarios: readonly Scenario[]): number {
  return scenarios.reduce(
    (sum, scenario) => sum + Math.ceil(estimateLength(scenario) / guessedMilliseconds),
    0,
  );
}

/**
 * Estimates a call's duration in milliseconds: the longest duration that its scenario allows, but at least
 * one minute and at most the timeout. A lower estimate would let a suite exceed its limit.
 */
export function estimateLength(scenario: Scenario): number {
  const { expect, timeoutMilliseconds } = scenario;
  const { at_least = 0, at_most = 0 } = expect.duration ?? {};
  const longestMilliseconds = Math.max(guessedMilliseconds, at_least, at_most);
  return Math.min(timeoutMilliseconds, longestMilliseconds);
}
