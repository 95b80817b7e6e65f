import { ExactNumber, parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import { secretMask } from "../../base/secret-mask.js";

/** Is the text of a field, header or parameter of this name private? */
export function isSecretName(name: string): boolean {
  return /secret|password|token|api[-_]?key|authorization|cookie|signature/i.test(name);
}

/**
 * The same value with secrets hidden: the text of fields that are named like one, the values of custom headers, into
 * which callers put tokens, and these keys wherever they stand.
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

/** Their names say what is sent, their values may open something. */
function maskHeaderValues(headers: unknown, keys: readonly string[]): unknown {
  if (typeof headers === "string") return secretMask;
  if (typeof headers !== "object" || headers === null || Array.isArray(headers))
    return maskSecrets(headers, keys);
  return Object.fromEntries(Object.keys(headers).map((name) => [name, secretMask]));
}

/** A body as text, secrets hidden where it is JSON. */
export function maskText(text: string): string {
  try {
    return stringifyExactJson(maskSecrets(parseExactJson(text)));
  } catch {
    return text;
  }
}
