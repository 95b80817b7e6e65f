import { trimPeriod } from "../../../base/text.js";
import { type Exit, exits } from "../../../cli/errors/errors.js";
import { buildErrorReport } from "../../../cli/errors/exit-codes.js";
import { type CallFailure, createErrorResult, createSkippedResult, type ScenarioResult } from "../results.js";
import type { Scenario } from "../suite.js";

/** Exit codes of errors that would make all later phone calls fail as well. */
const generalExits: readonly number[] = [exits.authentication, exits.unavailable, exits.internal];

/** @throws the error if the reader of stdout closed the pipe */
export function toCallFailure(error: unknown, signal: AbortSignal): CallFailure {
  const report = buildErrorReport(error, signal);
  if (!report) throw error;
  const { exit } = report;
  // Omit details that repeat the message.
  const details = report.details
    .map(({ path, message }) => `${path.join(".")} ${message}`)
    .filter((detail) => detail !== report.message);
  const isUnconfirmed = exit === exits.unknown;
  const unsure = isUnconfirmed ? ["the call may have been placed"] : [];
  return {
    message: [trimPeriod(report.message), ...details, ...unsure].join("; "),
    type: isUnconfirmed ? "unconfirmed" : generalExits.includes(exit) ? "general" : "single",
    exit,
  };
}

export function findExit({ exit }: CallFailure): Exit | undefined {
  return exit === undefined
    ? undefined
    : (Object.values(exits).find((code) => code === exit) ?? exits.internal);
}

/**
 * Creates the results for a run that failed before the first call.
 * @param cause the scenario that caused the error; undefined if the error concerns all scenarios
 */
export function createNotMadeResults(
  scenarios: readonly Scenario[],
  error: unknown,
  { signal, cause }: { signal: AbortSignal; cause: Scenario | undefined },
): ScenarioResult[] {
  const failure = toCallFailure(error, signal);
  return scenarios.map((scenario) =>
    cause === undefined || scenario === cause || failure.type === "general"
      ? createErrorResult(scenario, failure)
      : createSkippedResult(scenario, `not called because of the error in "${cause.name}"`),
  );
}
