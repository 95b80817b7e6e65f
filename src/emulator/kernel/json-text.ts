/** A value as its JSON: what lies in the file as text goes out as that text, and is read by those only who ask for fields. */
export class JsonText {
  constructor(readonly text: string) {}

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

/** Parses the texts in a handler's result, for callers that compare or change fields. */
export function toValues(result: unknown): unknown {
  if (result instanceof JsonText) return result.value;
  if (typeof result !== "object" || result === null || !("rows" in result)) return result;
  return result.rows instanceof JsonText ? { ...result, rows: result.rows.value } : result;
}
