import { type Exit, exits } from "../../../cli/errors/errors.js";
import { buildErrorReport } from "../../../cli/errors/exit-codes.js";
import type { Fields } from "../../../base/fields.js";
import type { Check } from "./expectations.js";
import type { Scenario } from "./suite.js";

/** A scenario and the request fields of its assistant. */
export interface PreparedScenario {
  scenario: Scenario;
  assistant: { assistant_id: string } | { assistant_phone: string };
}

/** `failed`: an expectation was not met. `error`: the call could not be placed or followed. `skipped`: not called. */
export interface ScenarioResult {
  scenario: Scenario;
  result: "passed" | "failed" | "error" | "skipped";
  call: Fields | undefined;
  checks: readonly Check[];
  /** Message and exit code of an error. */
  error: { message: string; exit: Exit } | undefined;
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

/** Returns the results of a run that could not place any call. */
export function createNotMadeResults(
  scenarios: readonly Scenario[],
  error: unknown,
  signal: AbortSignal,
): ScenarioResult[] {
  const failure = toFailure(error, signal);
  return scenarios.map((scenario) => ({ ...createSkippedResult(scenario), result: "error", error: failure }));
}

export function toFailure(error: unknown, signal: AbortSignal): { message: string; exit: Exit } {
  const report = buildErrorReport(error, signal);
  if (!report) throw error;
  // A single detail often equals the message.
  const details = report.details
    .map(({ path, message }) => `${path.join(".")} ${message}`)
    .filter((detail) => detail !== report.message);
  const exit = Object.values(exits).find((code) => code === report.exit) ?? exits.internal;
  const unsure = exit === exits.unknown ? ["the call may have been placed"] : [];
  return { message: [report.message.replace(/\.$/, ""), ...details, ...unsure].join("; "), exit };
}

/** Returns whether the next calls would fail for the same reason. */
export function isHopeless(exit: Exit): boolean {
  return exit === exits.authentication || exit === exits.unavailable || exit === exits.internal;
}
