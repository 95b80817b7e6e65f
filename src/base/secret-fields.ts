import { ExactNumber, parseExactJson, stringifyExactJson } from "./exact-json.js";
import { secretMask } from "./secret-mask.js";

export function isSecretName(name: string): boolean {
  return /secret|password|token|api[-_]?key|authorization|cookie|signature/i.test(name);
}

/**
 * Masks fields whose names indicate a secret, the values of custom headers, and all occurrences of the
 * strings in `keys`.
 */
export function maskSecrets(value: unknown, keys: readonly string[] = []): unknown {
  if (typeof value === "string") return keys.reduce((text, key) => text.replaceAll(key, secretMask), value);
  if (Array.isArray(value)) return value.map((entry) => maskSecrets(entry, keys));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (typeof inner === "string" && isSecretName(name)) return [name, secretMask];
      return [
        name,
        name.toLowerCase() === "headers" ? maskHeaderValues(inner, keys) : maskSecrets(inner, keys),
      ];
    }),
  );
}

/** Masks all values of custom headers, because any of them may contain a secret. */
function maskHeaderValues(headers: unknown, keys: readonly string[]): unknown {
  if (typeof headers === "string") return secretMask;
  if (typeof headers !== "object" || headers === null || Array.isArray(headers))
    return maskSecrets(headers, keys);
  return Object.fromEntries(Object.keys(headers).map((name) => [name, secretMask]));
}

/** Text other than JSON stays unchanged. */
export function maskText(text: string): string {
  try {
    return stringifyExactJson(maskSecrets(parseExactJson(text)));
  } catch {
    return text;
  }
}
