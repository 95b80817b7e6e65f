/** Cost of a suite's calls, announced and limited before the first call. */
import { formatCount } from "../../../base/text.js";
import { refusedError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { Attempt } from "./attempts.js";
import type { SuiteOptions } from "./options.js";
import type { PreparedScenario } from "./results.js";
import type { Scenario } from "./suite.js";
import { estimateDuration } from "./timetable.js";

/** Estimated length of a call without a script. */
const guessedMilliseconds = 60_000;

/** @throws refused error (12) if the suite exceeds a limit */
export function assertCallLimits(
  attempts: readonly Attempt[],
  maxCalls: number,
  { retries, maxMinutes }: SuiteOptions,
): void {
  const calls = attempts.length * (1 + retries);
  const most = retries > 0 ? "up to " : "";
  if (calls > maxCalls)
    throw refusedError(
      "too_many_calls",
      `the suite places ${most}${formatCount(calls, "call")}, but --max-calls allows ${maxCalls}`,
      `if this is correct, use --max-calls ${calls}`,
    );
  const minutes = estimateMinutes(attempts.map(({ scenario }) => scenario)) * (1 + retries);
  if (maxMinutes !== undefined && minutes > maxMinutes)
    throw refusedError(
      "too_many_calls",
      `the suite needs ${most}about ${formatCount(minutes, "call minute")}, but --max-minutes allows ${maxMinutes}`,
      `if this is correct, use --max-minutes ${minutes}`,
    );
}

/** Estimates the billed minutes: each call takes at least one (public.operations.16). */
function estimateMinutes(scenarios: readonly Scenario[]): number {
  return scenarios.reduce(
    (sum, scenario) => sum + Math.ceil(estimateLength(scenario) / guessedMilliseconds),
    0,
  );
}

/** Prints the number and length of the calls before the first one. */
export function announceCalls(
  { notes }: Session,
  prepared: readonly PreparedScenario[],
  offline: boolean,
  retries: number,
): void {
  const slots = prepared.map(({ scenario, assistant }) => ({
    assistant: Object.values(assistant).join(),
    to: scenario.to,
    milliseconds: estimateLength(scenario),
  }));
  const assistants = new Set(slots.map(({ assistant }) => assistant)).size;
  const calls = `${formatCount(prepared.length, "call")} with ${formatCount(assistants, "assistant")}`;
  const length = durationText(estimateDuration(slots));
  const minutes = formatCount(estimateMinutes(prepared.map(({ scenario }) => scenario)), "call minute");
  const more = retries > 0 ? `, at most ${prepared.length * (1 + retries)} calls with retries` : "";
  notes.note(
    offline
      ? `Placing ${calls} in a temporary emulator. Real calls would take about ${length} and ${minutes}${more}.`
      : `Placing ${calls}: about ${length}, ${minutes}${more}…`,
  );
}

/** Estimates the length of a call from its script, at least a minute. */
function estimateLength({ expect, offline, timeoutMilliseconds }: Scenario): number {
  const scriptedMilliseconds = Math.max(expect.duration?.at_least ?? 0, offline?.duration ?? 0);
  return Math.min(timeoutMilliseconds, Math.max(guessedMilliseconds, scriptedMilliseconds));
}
