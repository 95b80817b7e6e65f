import { findExcess } from "./json-structure.js";

/**
 * Maximum nesting of a value. `JSON.parse` accepts more levels, but recursive functions that compare or write
 * the value would overflow the stack.
 */
const readable = { values: Number.POSITIVE_INFINITY, nesting: 1_000 };

/** Parses JSON. Returns undefined if the text is not JSON or is nested too deeply. */
export function parseJsonSafely(text: string): unknown {
  if (findExcess(text, readable)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
