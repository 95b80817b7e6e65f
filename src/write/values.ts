export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function excerpt(text: string, longest = 200): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
