import { type Fields, getText } from "../../base/fields.js";
import { findPattern, SlowPatternError } from "../../base/find-pattern.js";
import { listUtterances } from "../../client/call-content.js";

export interface TranscriptFacts {
  /**
   * For each fact, the first words that the fact's pattern matches, or `none`. The keys are the facts' names.
   */
  facts: Record<string, string>;
  /** Numbers written in digits, sorted and without duplicates. */
  spoken_numbers: string[];
}

/**
 * Parses a fact: words, which must match as whole words, or `/pattern/`. Ignores case.
 * @throws SyntaxError if the pattern is invalid
 */
export function parseFact(text: string): RegExp {
  const [, pattern, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  if (pattern !== undefined) return new RegExp(pattern, [...new Set(`${flags}i`)].join(""));
  const words = foldText(text).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, "iu");
}

/** Finds the facts and the numbers in what the assistant said. */
export function extractFacts(call: Fields, facts: Readonly<Record<string, RegExp>>): TranscriptFacts {
  const sentences = listUtterances(call)
    .filter((utterance) => getText(utterance, "role") === "assistant")
    .map((utterance) => getText(utterance, "text").normalize("NFKC"));
  const text = sentences.map(foldText).join("\n");
  return {
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, pattern]) => [name, findFact(pattern, text)]),
    ),
    spoken_numbers: [...new Set(sentences.join("\n").match(/\d+(?:[.,:]\d+)*/g))].sort((left, right) =>
      left.localeCompare(right, "en", { numeric: true }),
    ),
  };
}

function findFact(pattern: RegExp, text: string): string {
  try {
    return findPattern(pattern, text)?.[0].toLowerCase() ?? "none";
  } catch (error) {
    if (error instanceof SlowPatternError) return `unknown: ${error.message}`;
    throw error;
  }
}

/** Normalizes Unicode characters (NFKC), leading zeros (`09:00` becomes `9:00`) and white space. */
function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/(?<!\d|\d[.,:])0+(?=\d)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
