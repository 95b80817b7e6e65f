import { textIn } from "../../../output/fields.js";
import { joined, type Painted, styled, toLines } from "../../../terminal/paint.js";
import { type CallStyle, clockText, utterancesOf, utteranceText } from "../call/text.js";
import type { Check } from "./expectations.js";
import { wasText } from "./result-text.js";
import type { ScenarioResult } from "./results.js";

export interface ResultStyle extends CallStyle {
  /** The call can be looked at afterwards: its world stays. */
  callStays: boolean;
}

/** One result for a person: a line, and of one that did not pass what was expected beside what was said. */
export function resultText(one: ScenarioResult, style: ResultStyle): Painted {
  const { paint } = style;
  const {
    scenario: { name },
    result,
    call,
    error,
  } = one;
  const seconds = call?.["duration_seconds"];
  const problem = error ? [error.message] : [];
  if (style.plain) {
    const took = typeof seconds === "number" ? `, ${clockText(seconds)}` : "";
    const head = toLines([`${result}: ${name}${took}`, ...problem]);
    return result === "passed" || result === "skipped" ? head : joined([head, detailText(one, style)]);
  }
  const length = typeof seconds === "number" ? paint.dim(`  ${clockText(seconds)}`) : "";
  if (result === "passed") return toLines([joined([paint.green("✓ passed"), "   ", name, length])]);
  if (result === "skipped") return toLines([paint.dim(`- skipped  ${name}`)]);
  const mark = result === "failed" ? "✗ failed " : "! error  ";
  const head = joined([paint.red(mark), "  ", paint.bold(name), length]);
  return joined([toLines([head, ...problem.map((message) => `  ${message}`)]), detailText(one, style)]);
}

/** The expectations, met or not, and the conversation. */
export function detailText({ call, checks }: ScenarioResult, style: ResultStyle): Painted {
  const { paint } = style;
  const id = call && style.callStays ? textIn(call, "id") || textIn(call, "call_id") : "";
  const said = (call ? utterancesOf(call) : []).map((utterance) => utteranceText(utterance, style));
  const command = `voxctl calls get ${id}`;
  if (style.plain)
    return joined([toLines(checks.map(plainCheck)), ...said, toLines(id === "" ? [] : [command])]);
  const title = (text: string) => styled`  ${paint.dim(text)}\n`;
  return joined([
    ...(checks.length > 0 ? [title("expected"), ...checks.map((check) => checkText(check, style))] : []),
    ...(said.length > 0 ? [title("said"), ...said] : []),
    ...(id === "" ? [] : [title(command)]),
  ]);
}

function plainCheck({ field, expected, met, actual }: Check): string {
  const told = `${field} ${expected}`;
  return met ? `met: ${told}` : `not met: ${told}; ${wasText(actual)}`;
}

function checkText({ field, expected, met, actual }: Check, { paint }: CallStyle): Painted {
  const line = `${field}  ${expected}`;
  if (met) return toLines([joined(["    ", paint.green("✓"), ` ${line}`])]);
  return toLines([
    joined(["    ", paint.red("✗"), ` ${line}`]),
    joined(["      ", paint.red(wasText(actual))]),
  ]);
}
