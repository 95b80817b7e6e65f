import { formatClock } from "../../base/duration.js";
import { type Fields, getText, isFields } from "../../base/fields.js";
import { hasUnknownForm, listUtterances } from "../../client/call-content.js";
import type { CallEnds } from "../../client/call-status.js";
import type { Expectations, Phrase } from "./suite.js";

/** Maximum number of characters in a quoted utterance. */
const maxQuotedLength = 50;

/** An expectation and whether the call met it. */
export interface Check {
  /** `transcript.contains` */
  field: string;
  expected: string;
  met: boolean;
  /** Actual value; if the expectation is met, the value that meets it. */
  actual: string;
}

/** Compares an ended call with its expectations. If no status is expected, any successful status is accepted. */
export function checkCall(call: Fields, expect: Expectations, ends: CallEnds): Check[] {
  return [
    checkStatus(call, ends),
    ...checkDuration(call["duration_seconds"], expect.duration),
    ...(expect.transcript?.contains ?? []).map((phrase) =>
      checkUtterance("transcript.contains", phrase, call),
    ),
    ...(expect.transcript?.matches ?? []).map((phrase) => checkUtterance("transcript.matches", phrase, call)),
    ...(expect.transcript?.never ?? []).map((phrase) => checkNever(phrase, call)),
    ...Object.entries(expect.analyses ?? {}).map(([name, value]) => checkAnalysis(name, value, call)),
  ];
}

/** Returns the value of an analysis; undefined if the call has no analysis with this name. */
export function findAnalysis(call: Fields, name: string): string | undefined {
  const analyses = call["analyses"];
  const match = Array.isArray(analyses)
    ? analyses.filter(isFields).find((analysis) => analysis["name"] === name)
    : undefined;
  const value = match?.["value"];
  return value === undefined || value === null ? undefined : String(value);
}

function checkStatus(call: Fields, ends: CallEnds): Check {
  return {
    field: "status",
    expected: ends.expected.join(" or ") || "completed",
    met: ends.isAsExpected(call),
    actual: getText(call, "status") || "none",
  };
}

function checkDuration(seconds: unknown, bounds: Expectations["duration"]): Check[] {
  const actual = typeof seconds === "number" ? `${seconds} s` : "none";
  const length = typeof seconds === "number" ? seconds * 1_000 : Number.NaN;
  const { at_least: least, at_most: most } = bounds ?? {};
  const check = (expected: string, met: boolean): Check => ({ field: "duration", expected, met, actual });
  return [
    ...(least === undefined ? [] : [check(`at least ${least / 1_000} s`, length >= least)]),
    ...(most === undefined ? [] : [check(`at most ${most / 1_000} s`, length <= most)]),
  ];
}

function checkUtterance(field: string, phrase: Phrase, call: Fields): Check {
  const utterance = findUtterance(phrase, call);
  return {
    field,
    expected: formatPhrase(phrase),
    met: utterance !== undefined,
    actual: utterance === undefined ? describeSilence(call) : formatUtterance(utterance),
  };
}

function checkNever(phrase: Phrase, call: Fields): Check {
  const utterance = findUtterance(phrase, call);
  return {
    field: "transcript.never",
    expected: `no ${formatPhrase(phrase)}`,
    // A transcript in an unknown format can't prove that the words are missing.
    met: utterance === undefined && !hasUnknownForm("transcript", call),
    actual: utterance === undefined ? describeSilence(call) : formatUtterance(utterance),
  };
}

function describeSilence(call: Fields): string {
  return hasUnknownForm("transcript", call) ? "the transcript has an unknown format" : "not mentioned";
}

function checkAnalysis(name: string, expected: string, call: Fields): Check {
  const actual = findAnalysis(call, name);
  return {
    field: `analyses.${name}`,
    expected,
    met: actual === expected,
    actual: actual ?? "not found",
  };
}

/** Finds the first utterance that contains these words. Ignores case and differences in white space. */
function findUtterance({ text, role, pattern }: Phrase, call: Fields): Fields | undefined {
  const words = normalizeSpaces(text).toLowerCase();
  return listUtterances(call).find((utterance) => {
    if (role !== undefined && utterance["role"] !== role) return false;
    const utteranceText = getText(utterance, "text");
    // Unlike test(), search() ignores lastIndex, so one pattern can be used for many strings.
    if (pattern) return utteranceText.search(pattern) !== -1;
    return normalizeSpaces(utteranceText).toLowerCase().includes(words);
  });
}

function normalizeSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function formatPhrase({ text, role }: Phrase): string {
  return `${role === undefined ? "" : `${role}: `}${text.startsWith("/") ? text : `"${text}"`}`;
}

function formatUtterance(utterance: Fields): string {
  const offset = utterance["offset_seconds"];
  const at = typeof offset === "number" ? `${formatClock(offset)} ` : "";
  const utteranceText = normalizeSpaces(getText(utterance, "text"));
  const cut =
    utteranceText.length > maxQuotedLength
      ? `${utteranceText.slice(0, maxQuotedLength - 1)}…`
      : utteranceText;
  return `${at}${getText(utterance, "role")}: ${cut}`;
}
