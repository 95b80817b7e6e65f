import type { Scenario } from "./suite.js";

/** Estimated duration of a call without a script. */
const guessedMilliseconds = 60_000;

/** Estimates the billed minutes. Each call is billed for at least one (public.operations.16). */
export function estimateMinutes(scenarios: readonly Scenario[]): number {
  return scenarios.reduce(
    (sum, scenario) => sum + Math.ceil(estimateLength(scenario) / guessedMilliseconds),
    0,
  );
}

/** Estimates a call's duration from its script, in milliseconds; at least one minute. */
export function estimateLength({ expect, offline, timeoutMilliseconds }: Scenario): number {
  const scriptedMilliseconds = Math.max(expect.duration?.at_least ?? 0, offline?.duration ?? 0);
  return Math.min(timeoutMilliseconds, Math.max(guessedMilliseconds, scriptedMilliseconds));
}
