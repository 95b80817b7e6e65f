/** A text's JSON value, or undefined where it is none (which no JSON text is). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
