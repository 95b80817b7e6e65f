import { formatClock } from "../../base/duration.js";
import { type Fields, getText, isFields } from "../../base/fields.js";
import { findPattern, SlowPatternError } from "../../base/find-pattern.js";
import { hasUnknownForm, listUtterances } from "../../client/call-content.js";
import { type CallEnds, isUnanswered } from "../../client/call-status.js";
import type { Expectations, Phrase, Scenario } from "./suite.js";

const maxQuotedLength = 40;
const quotedBefore = 15;
const notMentioned = "not mentioned";

export interface Check {
  /** Name of the expectation, such as `transcript.contains`. */
  field: string;
  expected: string;
  met: boolean;
  /** The actual value, or a text such as `not mentioned`. */
  actual: string;
}

/** If `ends.expected` is empty, every successful status is accepted. */
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

function findAnalysis(call: Fields, name: string): string | undefined {
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
  const { match, actual } = searchTranscript(phrase, call);
  return { field, expected: formatPhrase(phrase), met: match !== undefined, actual };
}

function checkNever(phrase: Phrase, call: Fields): Check {
  const { match, actual } = searchTranscript(phrase, call);
  return {
    field: "transcript.never",
    expected: `no ${formatPhrase(phrase)}`,
    // Without a transcript of known format, missing words prove nothing.
    met: match === undefined && actual === notMentioned,
    actual,
  };
}

function searchTranscript(phrase: Phrase, call: Fields): { match: Match | undefined; actual: string } {
  try {
    const match = findMatch(phrase, call);
    return { match, actual: match === undefined ? describeSilence(call) : formatMatch(match) };
  } catch (error) {
    if (error instanceof SlowPatternError) return { match: undefined, actual: `unknown: ${error.message}` };
    throw error;
  }
}

function describeSilence(call: Fields): string {
  if (hasUnknownForm("transcript", call)) return "in an unknown format";
  return Array.isArray(call["transcript"]) ? notMentioned : "unknown: the call has no transcript";
}

/** Returns whether a value that the scenario checks may still be added to the ended call. */
export function lacksExpected(
  call: Fields,
  { expect: { transcript, analyses = {} }, facts }: Pick<Scenario, "expect" | "facts">,
): boolean {
  const usesTranscript =
    (transcript !== undefined || Object.keys(facts).length > 0) && !isUnanswered(getText(call, "status"));
  return (
    (usesTranscript && !hasUnknownForm("transcript", call) && listUtterances(call).length === 0) ||
    Object.keys(analyses).some((name) => findAnalysis(call, name) === undefined)
  );
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

interface Match {
  utterance: Fields;
  /** Position of the match in the utterance with normalized spaces. */
  index: number;
}

/** Finds the first utterance with these words. Ignores case, Unicode forms and differences in white space. */
function findMatch({ text, role, pattern }: Phrase, call: Fields): Match | undefined {
  const words = normalizeSpaces(text).toLowerCase();
  for (const utterance of listUtterances(call)) {
    if (role !== undefined && utterance["role"] !== role) continue;
    const utteranceText = getText(utterance, "text").normalize("NFC");
    const index = pattern
      ? findPatternIndex(pattern, utteranceText)
      : normalizeSpaces(utteranceText).toLowerCase().indexOf(words);
    if (index !== -1) return { utterance, index };
  }
  return undefined;
}

function findPatternIndex(pattern: RegExp, text: string): number {
  const match = findPattern(pattern, text);
  return match === null ? -1 : normalizeSpaces(`${text.slice(0, match.index)}|`).length - 1;
}

function normalizeSpaces(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

function formatPhrase({ text, role }: Phrase): string {
  return `${role === undefined ? "" : `${role}: `}${text.startsWith("/") ? text : `"${text}"`}`;
}

/** Formats a match, such as `found at 0:12 (assistant): "… Der Preis ist 80 Euro."` */
function formatMatch({ utterance, index }: Match): string {
  const offset = utterance["offset_seconds"];
  const at = typeof offset === "number" ? ` at ${formatClock(offset)}` : "";
  const text = normalizeSpaces(getText(utterance, "text"));
  const start = Math.max(0, Math.min(index - quotedBefore, text.length - maxQuotedLength));
  const end = start + maxQuotedLength;
  const quoted = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return `found${at} (${getText(utterance, "role")}): "${quoted}"`;
}
