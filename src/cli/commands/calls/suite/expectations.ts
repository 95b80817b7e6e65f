import { type Fields, isFields, textIn } from "../../../output/fields.js";
import type { CallEnds } from "../call/status.js";
import { clockText, isOfOtherForm, utterancesOf } from "../call/text.js";
import type { Expectations, Phrase } from "./suite.js";

/** Characters of what was said that a line quotes; the transcript has the rest. */
const mostQuoted = 50;

/** One expectation, held against what was. */
export interface Check {
  /** `transcript.contains` */
  field: string;
  expected: string;
  met: boolean;
  /** The found value; for an expectation that is met, the value that meets it. */
  actual: string;
}

/** Holds a call that is over against what is expected of it. Without a status, a success of any usual name is. */
export function checkCall(call: Fields, expect: Expectations, ends: CallEnds): Check[] {
  return [
    checkStatus(call, ends),
    ...checkDuration(call["duration_seconds"], expect.duration),
    ...(expect.transcript?.contains ?? []).map((phrase) => checkSaid("transcript.contains", phrase, call)),
    ...(expect.transcript?.matches ?? []).map((phrase) => checkSaid("transcript.matches", phrase, call)),
    ...(expect.transcript?.never ?? []).map((phrase) => checkNever(phrase, call)),
    ...Object.entries(expect.analyses ?? {}).map(([name, value]) => checkAnalysis(name, value, call)),
  ];
}

/** The value of an analysis; undefined where the call has none of the name. */
export function analysisOf(call: Fields, name: string): string | undefined {
  const analyses = call["analyses"];
  const found = Array.isArray(analyses)
    ? analyses.filter(isFields).find((analysis) => analysis["name"] === name)
    : undefined;
  const value = found?.["value"];
  return value === undefined || value === null ? undefined : String(value);
}

function checkStatus(call: Fields, ends: CallEnds): Check {
  return {
    field: "status",
    expected: ends.expected.join(" or ") || "completed",
    met: ends.isAsExpected(call),
    actual: textIn(call, "status") || "none",
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

function checkSaid(field: string, phrase: Phrase, call: Fields): Check {
  const found = saying(phrase, call);
  return {
    field,
    expected: phraseText(phrase),
    met: found !== undefined,
    actual: found === undefined ? silence(call) : saidText(found),
  };
}

function checkNever(phrase: Phrase, call: Fields): Check {
  const found = saying(phrase, call);
  return {
    field: "transcript.never",
    expected: phraseText(phrase),
    // A value that can't be read proves nothing.
    met: found === undefined && !isOfOtherForm("transcript", call),
    actual: found === undefined ? silence(call) : saidText(found),
  };
}

function silence(call: Fields): string {
  return isOfOtherForm("transcript", call)
    ? "there is a transcript, but of a form that is not understood"
    : "was not said";
}

function checkAnalysis(name: string, expected: string, call: Fields): Check {
  const actual = analysisOf(call, name);
  return {
    field: `analyses.${name}`,
    expected,
    met: actual === expected,
    actual: actual ?? "there is none of that name",
  };
}

/** The first utterance that has the words. Case and white space don't count, as in a transcript of speech. */
function saying({ text, role, pattern }: Phrase, call: Fields): Fields | undefined {
  const words = spaced(text).toLowerCase();
  return utterancesOf(call).find((utterance) => {
    if (role !== undefined && utterance["role"] !== role) return false;
    const said = textIn(utterance, "text");
    // One pattern is tried on many texts: without a place where it left off.
    if (pattern) return said.search(pattern) !== -1;
    return spaced(said).toLowerCase().includes(words);
  });
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function phraseText({ text, role }: Phrase): string {
  return `${role === undefined ? "" : `${role}: `}${text.startsWith("/") ? text : `"${text}"`}`;
}

function saidText(utterance: Fields): string {
  const offset = utterance["offset_seconds"];
  const at = typeof offset === "number" ? `${clockText(offset)} ` : "";
  const said = spaced(textIn(utterance, "text"));
  const cut = said.length > mostQuoted ? `${said.slice(0, mostQuoted - 1)}…` : said;
  return `${at}${textIn(utterance, "role")}: ${cut}`;
}
