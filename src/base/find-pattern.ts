import { Script } from "node:vm";

const limitMilliseconds = 1_000;

/** Thrown if a pattern needs too long for a text, such as `/(a+)+$/` for many letters `a`. */
export class SlowPatternError extends Error {
  override readonly name = "SlowPatternError";
}

const script = new Script("pattern.exec(text)");

/**
 * Finds the first match of a user's pattern. A pattern can need exponential time, in which the process would
 * react to no signal.
 * @throws SlowPatternError after 1 second
 */
export function findPattern(pattern: RegExp, text: string): RegExpExecArray | null {
  // A pattern with the flag `g` remembers the end of its last match.
  pattern.lastIndex = 0;
  try {
    return script.runInNewContext({ pattern, text }, { timeout: limitMilliseconds });
  } catch (error) {
    // The context has its own `Error` class, so `instanceof` doesn't recognize the error.
    const hasCode = typeof error === "object" && error !== null && "code" in error;
    if (!hasCode || error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new SlowPatternError(`${pattern} needs more than ${limitMilliseconds / 1_000} s`, { cause: error });
  }
}
