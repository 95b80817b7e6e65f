import { formatClock } from "../../../base/duration.js";
import { getText } from "../../../base/fields.js";
import { type CallStyle, formatTranscriptLine } from "../../../cli/nouns/calls/call/text.js";
import type { Session } from "../../../cli/session/session.js";
import { formatSuggestedCommand } from "../../../cli/session/suggested-command.js";
import { joined, type Painted, styled, toLines } from "../../../cli/terminal/paint.js";
import { listUtterances } from "../../../client/call-content.js";
import { isOnlyDifferent } from "../baseline-checks.js";
import type { Check } from "../expectations.js";
import { formatActual } from "../result-text.js";
import type { ScenarioResult } from "../results.js";

export interface ResultStyle extends CallStyle {
  /** Returns the command that shows a call; undefined if the calls don't exist after the run. */
  formatGetCommand: ((id: string) => string) | undefined;
}

export function createGetCommand(
  session: Pick<Session, "flags">,
  offline: boolean,
): ResultStyle["formatGetCommand"] {
  return offline ? undefined : (id) => formatSuggestedCommand(session, `calls get ${id}`);
}

export function formatResult(scenarioResult: ScenarioResult, style: ResultStyle): Painted {
  const { paint } = style;
  const {
    scenario: { name },
    result,
    call,
    error,
    retries = 0,
  } = scenarioResult;
  const retry = retries > 0 ? ` (retry ${retries})` : "";
  const seconds = call?.["duration_seconds"];
  const problem = error ? [error.message] : [];
  if (style.plain) {
    const took = typeof seconds === "number" ? `, ${formatClock(seconds)}` : "";
    const head = toLines([
      `${isOnlyDifferent(scenarioResult) ? "differs" : result}: ${name}${retry}${took}`,
      ...problem,
    ]);
    return result === "passed" || result === "skipped"
      ? head
      : joined([head, formatDetails(scenarioResult, style)]);
  }
  const length = typeof seconds === "number" ? paint.dim(`  ${formatClock(seconds)}`) : "";
  if (result === "passed") return toLines([joined([paint.green("✓ passed"), "   ", name, retry, length])]);
  if (result === "skipped") return toLines([paint.dim(`- skipped  ${name}`)]);
  const failure = isOnlyDifferent(scenarioResult) ? "✗ differs" : "✗ failed ";
  const mark = result === "failed" ? failure : "! error  ";
  const head = joined([paint.red(mark), "  ", paint.bold(name), retry, length]);
  return joined([
    toLines([head, ...problem.map((message) => `  ${message}`)]),
    formatDetails(scenarioResult, style),
  ]);
}

export function formatDetails({ call, checks }: ScenarioResult, style: ResultStyle): Painted {
  const { paint } = style;
  const id = call ? getText(call, "id") || getText(call, "call_id") : "";
  const command = id === "" ? undefined : style.formatGetCommand?.(id);
  const utterances = (call ? listUtterances(call) : []).map((utterance) =>
    formatTranscriptLine(utterance, style),
  );
  if (style.plain)
    return joined([
      toLines(checks.map(formatPlainCheck)),
      ...utterances,
      toLines(command === undefined ? [] : [command]),
    ]);
  const title = (text: string) => styled`  ${paint.dim(text)}\n`;
  return joined([
    ...(checks.length > 0 ? [title("expected"), ...checks.map((check) => formatCheck(check, style))] : []),
    ...(utterances.length > 0 ? [title("said"), ...utterances] : []),
    ...(command === undefined ? [] : [title(command)]),
  ]);
}

function formatPlainCheck(check: Check): string {
  const expectation = `${check.field} ${check.expected}`;
  return check.met ? `met: ${expectation}` : `not met: ${expectation}; ${formatActual(check)}`;
}

function formatCheck(check: Check, { paint }: CallStyle): Painted {
  const line = `${check.field}  ${check.expected}`;
  if (check.met) return toLines([joined(["    ", paint.green("✓"), ` ${line}`])]);
  return toLines([
    joined(["    ", paint.red("✗"), ` ${line}`]),
    joined(["      ", paint.red(formatActual(check))]),
  ]);
}
