import { type Exit, exits } from "../../../errors/errors.js";
import { buildErrorReport } from "../../../errors/exit-codes.js";
import type { Fields } from "../../../output/fields.js";
import type { Check } from "./expectations.js";
import type { Scenario } from "./suite.js";

/** A scenario, and how the request names its assistant. */
export interface PreparedScenario {
  scenario: Scenario;
  assistant: { assistant_id: string } | { assistant_phone: string };
}

/** `failed`: an expectation was not met. `error`: the call could not be made or followed. `skipped`: not tried. */
export interface ScenarioResult {
  scenario: Scenario;
  result: "passed" | "failed" | "error" | "skipped";
  call: Fields | undefined;
  checks: readonly Check[];
  /** An error's message, and its exit code. */
  error: { message: string; exit: Exit } | undefined;
  /** From trigger to end, by the stopwatch of the target. */
  milliseconds: number;
  /** Set for a scenario that is called several times. */
  attempts?: { passed: number; made: number; needed: number };
  /** Number of retries before this result. */
  retries?: number;
  /** It failed, and may until the end of this day. */
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
  // A single complaint is often the message itself.
  const details = report.details
    .map(({ path, message }) => `${path.join(".")} ${message}`)
    .filter((detail) => detail !== report.message);
  const exit = Object.values(exits).find((code) => code === report.exit) ?? exits.internal;
  const unsure = exit === exits.unknown ? ["it is unknown whether the call was made"] : [];
  return { message: [report.message.replace(/\.$/, ""), ...details, ...unsure].join("; "), exit };
}

/** An error that fails one call so fails all that follow. */
export function isHopeless(exit: Exit): boolean {
  return exit === exits.authentication || exit === exits.unavailable || exit === exits.internal;
}
