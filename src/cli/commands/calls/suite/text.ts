import { escapeControl } from "../../../../base/text.js";
import { textIn } from "../../../output/fields.js";
import { type CallStyle, clockText, utterancesOf, utteranceText } from "../call/text.js";
import type { Check } from "./expectations.js";
import { wasText } from "./result-text.js";
import type { ScenarioResult } from "./results.js";

export interface ResultStyle extends CallStyle {
  /** The call can be looked at afterwards: its world stays. */
  callStays: boolean;
}

/** One result for a person: a line, and of one that did not pass what was expected beside what was said. */
export function resultText(one: ScenarioResult, style: ResultStyle): string {
  const { paint } = style;
  const { scenario, result, call, error } = one;
  const name = escapeControl(scenario.name);
  const seconds = call?.["duration_seconds"];
  if (style.plain) {
    const took = typeof seconds === "number" ? `, ${clockText(seconds)}` : "";
    return [
      `${result}: ${name}${took}\n`,
      error ? `${escapeControl(error.message)}\n` : "",
      result === "passed" || result === "skipped" ? "" : detailText(one, style),
    ].join("");
  }
  const length = typeof seconds === "number" ? paint.dim(`  ${clockText(seconds)}`) : "";
  if (result === "passed") return `${paint.green("✓ passed")}   ${name}${length}\n`;
  if (result === "skipped") return `${paint.dim(`- skipped  ${name}`)}\n`;
  const mark = result === "failed" ? "✗ failed " : "! error  ";
  return [
    `${paint.red(mark)}  ${paint.bold(name)}${length}\n`,
    error ? `  ${escapeControl(error.message)}\n` : "",
    detailText(one, style),
  ].join("");
}

/** The expectations, met or not, and the conversation. */
export function detailText({ call, checks }: ScenarioResult, style: ResultStyle): string {
  const { paint } = style;
  const id = call && style.callStays ? textIn(call, "id") || textIn(call, "call_id") : "";
  const said = call ? utterancesOf(call) : [];
  if (style.plain)
    return [
      ...checks.map(plainCheck),
      ...said.map((utterance) => utteranceText(utterance, style)),
      id === "" ? "" : `voxctl calls get ${escapeControl(id)}\n`,
    ].join("");
  return [
    ...(checks.length > 0
      ? [`  ${paint.dim("expected")}\n`, ...checks.map((check) => checkText(check, style))]
      : []),
    ...(said.length > 0
      ? [`  ${paint.dim("said")}\n`, ...said.map((utterance) => utteranceText(utterance, style))]
      : []),
    id === "" ? "" : `  ${paint.dim(`voxctl calls get ${escapeControl(id)}`)}\n`,
  ].join("");
}

function plainCheck({ field, expected, met, actual }: Check): string {
  const told = escapeControl(`${field} ${expected}`);
  return met ? `met: ${told}\n` : `not met: ${told}; ${escapeControl(wasText(actual))}\n`;
}

function checkText({ field, expected, met, actual }: Check, { paint }: CallStyle): string {
  const line = `${escapeControl(field)}  ${escapeControl(expected)}`;
  if (met) return `    ${paint.green("✓")} ${line}\n`;
  return `    ${paint.red("✗")} ${line}\n      ${paint.red(escapeControl(wasText(actual)))}\n`;
}
