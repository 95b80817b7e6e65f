import { secretMask } from "../base/secret-mask.js";

/** Takes the keys out of a text, whatever brought them there. */
export type Mask = (text: string) => string;

/** A shorter one is a word, or a part of some: it is masked where it stands by itself. */
const shortestInWords = 8;

/** The mask for these keys; each also as a URL or a JSON text writes it. */
export function createMask(keys: readonly string[]): Mask {
  const forms = new Set<string>();
  for (const key of keys) {
    if (key === "") continue;
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) forms.add(form);
  }
  // The longest first: one key may begin another.
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

/** The text where no letter or digit goes on with it: a key `k` must leave the word "key" in a service's message. */
function aloneAs(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const [before, after] = [/^[\p{L}\p{N}]/u, /[\p{L}\p{N}]$/u].map((edge) => edge.test(text));
  return new RegExp(
    `${before ? "(?<![\\p{L}\\p{N}])" : ""}${literal}${after ? "(?![\\p{L}\\p{N}])" : ""}`,
    "gu",
  );
}

/** Headers for an event: without those that carry credentials, and masked. */
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

/** One header of such an event. */
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
