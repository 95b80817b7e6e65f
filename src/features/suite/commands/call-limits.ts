import { formatCount } from "../../../base/text.js";
import { refusedError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { Attempt } from "../attempts.js";
import { estimateLength, estimateMinutes } from "../cost.js";
import type { PreparedScenario } from "../results.js";
import { estimateDuration } from "../timetable.js";
import type { SuiteOptions } from "./options.js";

/** @throws refused error (12) if the suite exceeds a limit */
export function assertCallLimits(
  attempts: readonly Attempt[],
  maxCalls: number,
  { retries, maxMinutes }: SuiteOptions,
): void {
  const calls = attempts.length * (1 + retries);
  if (calls > maxCalls)
    throw refusedError(
      "too_many_calls",
      `the suite places ${retries > 0 ? "up to " : ""}${formatCount(calls, "call")}, but --max-calls allows ${maxCalls}`,
      `if this is correct, use --max-calls ${calls}`,
    );
  const scenarios = attempts.map(({ scenario }) => scenario);
  const minutes = estimateMinutes(scenarios) * (1 + retries);
  if (maxMinutes !== undefined && minutes > maxMinutes)
    throw refusedError(
      "too_many_calls",
      `the suite uses ${retries > 0 ? "up to" : "about"} ${formatCount(minutes, "call minute")}, but --max-minutes allows ${maxMinutes}`,
      `if this is correct, use --max-minutes ${minutes}`,
    );
}

export function announceCalls(
  { notes }: Session,
  prepared: readonly PreparedScenario[],
  { offline, dryRun }: { offline: boolean; dryRun: boolean },
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
  const scenarios = prepared.map(({ scenario }) => scenario);
  const minutes = estimateMinutes(scenarios);
  const most = 1 + retries;
  const sentences = [
    `${dryRun ? "The suite will place" : "Placing"} ${calls}${offline ? " in a temporary emulator" : ""}.`,
    `${offline ? "Real calls would" : "This will"} take about ${length} and use about ${formatCount(minutes, "call minute")}.`,
    "Each call's minutes are estimated from the longest time in its `expect.duration` (at least 1 minute, at most its timeout), rounded up to whole minutes.",
    ...(retries > 0
      ? [`Retries can raise this to ${prepared.length * most} calls and ${minutes * most} call minutes.`]
      : []),
  ];
  notes.note(sentences.join(" "));
}
