import { isSecretName } from "../../base/secret-fields.js";
import { secretMask } from "../../base/secret-mask.js";
import type { Header } from "./exchange.js";

export interface SecretHeaders {
  /** Names of additional secret headers. */
  names: readonly string[];
  mask(text: string): string;
}

function isSecret(name: string, { names }: SecretHeaders): boolean {
  return isSecretName(name) || names.some((headerName) => headerName.toLowerCase() === name.toLowerCase());
}

type Kept = [name: string, value: string | { $masked: string }];

/** A secret value becomes `{ $masked: NAME }`. */
export function maskHeaders(headers: readonly Header[], secrets: SecretHeaders): Kept[] {
  return headers.map(
    ([name, value]): Kept =>
      isSecret(name, secrets)
        ? [name, { $masked: name.toLowerCase() }]
        : [name, maskBytes(Buffer.from(value, "latin1"), secrets).toString("latin1")],
  );
}

/**
 * Masks secrets in bytes that can be of any encoding. Keeps all other bytes, except invalid UTF-8 next to a
 * secret with characters outside ASCII.
 */
export function maskBytes(bytes: Buffer, { mask }: SecretHeaders): Buffer {
  const ascii = Buffer.from(mask(bytes.toString("latin1")), "latin1");
  const text = ascii.toString("utf8");
  const masked = mask(text);
  return masked === text ? ascii : Buffer.from(masked, "utf8");
}

/** Masks the values of query parameters with secret names. */
export function maskPath(path: string, secrets: SecretHeaders): string {
  const [pathname = "", query] = path.split(/\?(.*)/s);
  if (query === undefined) return secrets.mask(path);
  const kept = query.split("&").map((part) => {
    const [name = ""] = part.split("=");
    return isSecret(decode(name), secrets) && part.includes("=") ? `${name}=${secretMask}` : part;
  });
  return secrets.mask(`${pathname}?${kept.join("&")}`);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/** Shortens `+4915112345678` to `+49…678`. Callers stay distinguishable but can't be called. */
export function maskNumbers(text: string): string {
  return text.replace(/\+(\d\d)\d{3,}(\d{3})(?!\d)/g, "+$1…$2");
}
