import { findExcess } from "./json-structure.js";

/** Deeper nesting could be parsed but not compared or written, because both recurse. */
const readable = { values: Number.POSITIVE_INFINITY, nesting: 1_000 };

/** Returns the value of JSON text; undefined if the text is not JSON or is nested too deeply. */
export function parseJsonSafely(text: string): unknown {
  if (findExcess(text, readable)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
