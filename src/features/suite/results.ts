import type { Fields } from "../../base/fields.js";
import type { Check } from "./expectations.js";
import type { Scenario } from "./suite.js";

/** A scenario and the request fields of its assistant. */
export interface PreparedScenario {
  scenario: Scenario;
  assistant: { assistant_id: string } | { assistant_phone: string };
}

/** Why a call was not placed, or not followed to its end. */
export interface CallFailure {
  message: string;
  /**
   * `general`: further calls would fail for the same reason. `unconfirmed`: the call may have been placed. `running`: it
   * continues after the run.
   */
  type: "single" | "general" | "unconfirmed" | "running";
  /** Exit code of the error that caused it. */
  exit?: number;
}

/** `failed`: an expectation was not met. `error`: the call could not be placed or followed. `skipped`: not called. */
export interface ScenarioResult {
  scenario: Scenario;
  result: "passed" | "failed" | "error" | "skipped";
  call: Fields | undefined;
  checks: readonly Check[];
  error: CallFailure | undefined;
  /** From trigger to end, by the stopwatch of the target. */
  milliseconds: number;
  /** Set for a scenario that is called several times. */
  attempts?: { passed: number; made: number; needed: number };
  /** Number of retries before this result. */
  retries?: number;
  /** Set if the scenario failed in quarantine: last day of the quarantine. */
  quarantinedUntil?: string;
}

export function createSkippedResult(scenario: Scenario): ScenarioResult {
  return { scenario, result: "skipped", call: undefined, checks: [], error: undefined, milliseconds: 0 };
}
