import { secretMask } from "../base/secret-mask.js";

export type Mask = (text: string) => string;

/** Minimum length of a key that is masked within words. A shorter key might be part of an ordinary word. */
const shortestInWords = 8;

export function createMask(keys: readonly string[]): Mask {
  const forms = new Set<string>();
  for (const key of keys) {
    if (key === "") continue;
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) forms.add(form);
  }
  // Mask the longest form first, because one key may be the beginning of another key.
  const ordered = [...forms].sort((left, right) => right.length - left.length);
  const patterns = ordered.map((form) => ({
    form,
    pattern: form.length < shortestInWords ? aloneAs(form) : form,
  }));
  return (text) => {
    let masked = text;
    for (const { form, pattern } of patterns) {
      if (masked.includes(form)) masked = masked.replaceAll(pattern, () => secretMask);
    }
    return masked;
  };
}

/** Matches the text only as a separate word, so that the key `k` does not mask part of the word "key". */
function aloneAs(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const [before, after] = [/^[\p{L}\p{N}]/u, /[\p{L}\p{N}]$/u].map((edge) => edge.test(text));
  return new RegExp(
    `${before ? "(?<![\\p{L}\\p{N}])" : ""}${literal}${after ? "(?![\\p{L}\\p{N}])" : ""}`,
    "gu",
  );
}

/** Omits the headers that contain credentials, and masks keys in other headers. */
export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  mask: Mask,
): Readonly<Record<string, string>> {
  const masked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!carriesCredentials(name)) masked[name] = mask(value);
  }
  return masked;
}

export function maskHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
  mask: Mask,
): string | undefined {
  const value = headers[name];
  return value === undefined || carriesCredentials(name) ? undefined : mask(value);
}

function carriesCredentials(name: string): boolean {
  return name === "authorization" || name === "cookie" || name === "set-cookie";
}
