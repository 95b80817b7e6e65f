import { parseExactJson } from "./exact-json.js";
import { findExcess } from "./json-structure.js";

/**
 * Maximum nesting of a value. `JSON.parse` accepts more levels, but recursive functions that compare or write
 * the value would overflow the stack.
 */
const readable = { values: Number.POSITIVE_INFINITY, nesting: 1_000 };

/** Parses JSON. Returns undefined if the text is not JSON or is nested too deeply. */
export function parseJsonSafely(text: string): unknown {
  return parseSafely(text, JSON.parse);
}

/** Like `parseJsonSafely`, but keeps all digits of numbers. */
export function parseExactJsonSafely(text: string): unknown {
  return parseSafely(text, parseExactJson);
}

function parseSafely(text: string, parse: (text: string) => unknown): unknown {
  if (findExcess(text, readable)) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
