/** JSON that the emulator sends as stored, and parses only if a caller needs its fields. */
export class JsonText {
  constructor(readonly text: string) {}

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

export function toValues(result: unknown): unknown {
  if (result instanceof JsonText) return result.value;
  if (typeof result !== "object" || result === null || !("rows" in result)) return result;
  return result.rows instanceof JsonText ? { ...result, rows: result.rows.value } : result;
}
