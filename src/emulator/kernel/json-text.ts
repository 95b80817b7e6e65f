/** A value as its JSON: what lies in the file as text goes out as that text, and is read by those only who ask for fields. */
export class JsonText {
  constructor(readonly text: string) {}

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

/** A handler's result with values in place of texts: for those who compare or change its fields. */
export function toValues(result: unknown): unknown {
  if (result instanceof JsonText) return result.value;
  if (typeof result !== "object" || result === null || !("rows" in result)) return result;
  return result.rows instanceof JsonText ? { ...result, rows: result.rows.value } : result;
}
