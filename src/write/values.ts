export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
