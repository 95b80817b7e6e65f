/** Returns a JSON value as a record, or an empty record if the value is not an object. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Shortens a value for a message. */
export function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
