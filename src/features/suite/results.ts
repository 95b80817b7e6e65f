import type { Fields } from "../../base/fields.js";
import type { Check } from "./expectations.js";
import type { Scenario } from "./suite.js";

/** A scenario and the request field that identifies its assistant. */
export interface PreparedScenario {
  scenario: Scenario;
  assistant: { assistant_id: string } | { assistant_phone: string };
}

/** Reason why a call was not placed or not followed to its end. */
export interface CallFailure {
  message: string;
  /**
   * `general`: further calls would fail for the same reason. `unconfirmed`: the call may have been placed. `running`:
   * the call continues after the run.
   */
  type: "single" | "general" | "unconfirmed" | "running";
  /** Exit code for the error that caused the failure. */
  exit?: number;
}

/** `failed`: an expectation was not met. `error`: the call could not be placed or followed. `skipped`: not called. */
export interface ScenarioResult {
  scenario: Scenario;
  result: "passed" | "failed" | "error" | "skipped";
  call: Fields | undefined;
  checks: readonly Check[];
  error: CallFailure | undefined;
  /** Why a scenario was skipped. */
  reason?: string;
  /** Time from the trigger to the end of the call, by the target's clock. */
  milliseconds: number;
  /** Call counts; set if the scenario is called several times. */
  attempts?: { passed: number; made: number; needed: number };
  /** Number of retries before this result. */
  retries?: number;
  /** Last day of the quarantine; set if the scenario failed in quarantine. */
  quarantinedUntil?: string;
}

/** @param reason why the scenario was not called */
export function createSkippedResult(scenario: Scenario, reason: string): ScenarioResult {
  const empty = { call: undefined, checks: [], error: undefined, milliseconds: 0 };
  return { scenario, result: "skipped", reason, ...empty };
}

export function createErrorResult(scenario: Scenario, error: CallFailure): ScenarioResult {
  return { ...createSkippedResult(scenario, error.message), result: "error", error };
}

/**
 * Changes the first skipped result of an interrupted run to `error`, unless there is already an error. A CI system
 * would treat a report with only passed and skipped tests as a success.
 */
export function markInterruption(results: readonly ScenarioResult[]): ScenarioResult[] {
  const index = results.findIndex(({ result }) => result === "skipped");
  const skipped = results[index];
  if (skipped === undefined || results.some(({ result }) => result === "error")) return [...results];
  const error: CallFailure = { message: skipped.reason ?? "", type: "single" };
  return results.with(index, { ...skipped, result: "error", error });
}
