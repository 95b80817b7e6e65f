import type { Fields } from "../../base/fields.js";
import type { Check } from "./expectations.js";
import type { Scenario } from "./suite.js";

export interface PreparedScenario {
  scenario: Scenario;
  assistant: { assistant_id: string } | { assistant_phone: string };
}

/** Why a call was not placed or not followed to its end. */
export interface CallFailure {
  message: string;
  /**
   * `single`: concerns only this call. `general`: further calls would fail as well. `unconfirmed`: the call
   * may have been placed. `running`: the call continues after the run.
   */
  type: "single" | "general" | "unconfirmed" | "running";
  exit?: number;
}

/**
 * Result of a scenario. `failed`: an expectation was not met. `error`: the call was not placed or not
 * followed. `skipped`: not called.
 */
export interface ScenarioResult {
  scenario: Scenario;
  result: "passed" | "failed" | "error" | "skipped";
  call: Fields | undefined;
  checks: readonly Check[];
  error: CallFailure | undefined;
  reason?: string;
  /** Time from the request to the end of the call, by the target's clock. */
  milliseconds: number;
  /** Number of calls; set for a repeated scenario. */
  attempts?: { passed: number; made: number; needed: number };
  retries?: number;
  /** Last day of the quarantine; set if the scenario failed in quarantine. */
  quarantinedUntil?: string;
}

export function createSkippedResult(scenario: Scenario, reason: string): ScenarioResult {
  const empty = { call: undefined, checks: [], error: undefined, milliseconds: 0 };
  return { scenario, result: "skipped", reason, ...empty };
}

export function createErrorResult(scenario: Scenario, error: CallFailure): ScenarioResult {
  return { ...createSkippedResult(scenario, error.message), result: "error", error };
}

/**
 * After an interruption, changes the first skipped result to `error` if there is no error yet. A CI system
 * would treat a report without an error as a success.
 */
export function markInterruption(results: readonly ScenarioResult[]): ScenarioResult[] {
  const index = results.findIndex(({ result }) => result === "skipped");
  const skipped = results[index];
  if (skipped === undefined || results.some(({ result }) => result === "error")) return [...results];
  const error: CallFailure = { message: skipped.reason ?? "", type: "single" };
  return results.with(index, { ...skipped, result: "error", error });
}
