/**
 * A value as JSON text. The emulator sends the text as stored, and parses it only if a caller needs its
 * fields.
 */
export class JsonText {
  constructor(readonly text: string) {}

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

/** Parses JSON text in a handler's result, for callers that need its fields. */
export function toValues(result: unknown): unknown {
  if (result instanceof JsonText) return result.value;
  if (typeof result !== "object" || result === null || !("rows" in result)) return result;
  return result.rows instanceof JsonText ? { ...result, rows: result.rows.value } : result;
}
