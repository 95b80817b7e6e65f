import { findExcess } from "./json-structure.js";

/** What is nested deeper can be parsed, but neither compared nor written again: both go down level by level. */
const readable = { values: Number.POSITIVE_INFINITY, nesting: 1_000 };

/** A text's JSON value, or undefined where it is not JSON (no JSON text means undefined) or nested too deep to be used. */
export function parseJsonSafely(text: string): unknown {
  if (findExcess(text, readable)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
