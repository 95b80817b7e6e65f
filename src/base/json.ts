/** A text's JSON value, or undefined where it is not JSON (no JSON text means undefined). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
