import { findExcess } from "./json-structure.js";

/** Deeper nesting can be parsed, but not compared or written, since both recurse. */
const readable = { values: Number.POSITIVE_INFINITY, nesting: 1_000 };

/** Returns the value of a JSON text; undefined if it is not JSON or nested too deeply. */
export function parseJsonSafely(text: string): unknown {
  if (findExcess(text, readable)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
