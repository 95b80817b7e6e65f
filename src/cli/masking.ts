/** Names of fields and headers whose text is nobody's business. */
const secretName = /secret|password|token|api[-_]?key|authorization|cookie/i;

const mask = "********";

/** The same value with the text of secret-looking fields hidden. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === "string" && secretName.test(name) ? mask : maskSecrets(inner),
    ]),
  );
}

/** A body as text, secrets hidden where it is JSON. */
export function maskText(text: string): string {
  try {
    return JSON.stringify(maskSecrets(JSON.parse(text)));
  } catch {
    return text;
  }
}
