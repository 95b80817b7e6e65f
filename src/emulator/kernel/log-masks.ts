import { findExcess } from "../../base/json-structure.js";
import { secretMask } from "../../base/secret-mask.js";

/** In characters. */
const maximumBody = 16_384;
/** Searching larger bodies for secrets would delay other requests. */
const logBounds = { values: 20_000, nesting: 1_000 };
const maximumPath = 4_096;
const maximumHeader = 1_024;

function isSecretName(name: string): boolean {
  return /(?:secret|key|token|password|authorization)$/i.test(name); // emulator.log
}

/**
 * Truncates a body and masks its secrets, in linear time. A body that is not JSON is omitted if it might
 * contain a secret (emulator.log).
 */
export function maskBody(body: string | null): string | null {
  if (body === null || body === "") return null;
  // Check only the part that will be stored.
  if (!mayHoldSecret(body.slice(0, maximumBody))) return cut(body, maximumBody);
  if (findExcess(body, logBounds)) return "(too many values)";
  try {
    return cut(JSON.stringify(maskSecrets(JSON.parse(body))), maximumBody);
  } catch {
    return "(not JSON)";
  }
}

/**
 * Returns false only if a text certainly contains no secret. Doesn't look for complete field names, because
 * these can contain escapes or lack quotes.
 */
function mayHoldSecret(text: string): boolean {
  return (
    /secret|password|key|authorization|token|headers|\\u/i.test(text) ||
    // A URL may contain a password.
    text.includes("//") ||
    text.includes("/\\/")
  );
}

function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value === "string") return maskUrls(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      // A boolean such as `has_secret: true` reveals nothing.
      if (isSecretName(name) && field !== null && typeof field !== "boolean") return [name, secretMask];
      // Custom headers may contain tokens.
      if (name.toLowerCase() === "headers" && field !== null) {
        if (typeof field !== "object" || Array.isArray(field)) return [name, secretMask];
        return [name, Object.fromEntries(Object.keys(field).map((header) => [header, secretMask]))];
      }
      return [name, maskSecrets(field)];
    }),
  );
}

/** The API refuses URLs with a password, but the log contains refused requests as well. */
function maskUrls(text: string): string {
  return text
    .replace(/(:\/\/)[^/?#\s]*@/g, `$1${secretMask}@`)
    .replace(/([?&])([^=?&#\s]+)=[^&#\s]+/g, (parameter, mark: string, name: string) =>
      isSecretName(decoded(name)) ? `${mark}${name}=${secretMask}` : parameter,
    ); // emulator.log
}

/** Values of all other headers are masked. */
const openHeader =
  /^(?:accept(?:-.+)?|age|allow|cache-control|connection|content-(?:type|length|encoding|range|disposition|language)|date|etag|expect|host|idempotency-key|if-.+|last-modified|location|mcp-.+|origin|range|retry-after|sec-fetch-.+|traceparent|transfer-encoding|user-agent|vary|warning|www-authenticate|x-emulator-.+|x-ratelimit-.+|x-request-id)$/i;

/** Maximum number of cached header names; limited, because clients can send any name. */
const knownNames = 200;

/** If a value might be a secret, only the header's name and the authentication scheme are stored. */
export class HeaderMasks {
  /** Whether to show a header's value, by header name. Cached, because most requests have the same few headers. */
  private readonly open = new Map<string, boolean>();

  masked(headers: Readonly<Record<string, string | undefined>>): string {
    const shown: Record<string, string> = {};
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined) continue;
      if (this.isOpen(name)) shown[name] = cut(value, maximumHeader);
      else shown[name] = (/^(?:Bearer|Basic) /i.exec(value)?.[0] ?? "") + secretMask;
    }
    return JSON.stringify(shown);
  }

  private isOpen(name: string): boolean {
    let open = this.open.get(name);
    if (open === undefined) {
      open = openHeader.test(name);
      if (this.open.size < knownNames) this.open.set(name, open);
    }
    return open;
  }
}

/** The service ignores a key in the URL, but the log must not contain the key. */
export function maskPath(path: string): string {
  const shown = path.slice(0, maximumPath);
  const mark = shown.indexOf("?");
  const parameters = (search: string) =>
    search
      .split("&")
      .map((parameter) => {
        const [name = ""] = parameter.split("=", 1);
        return isSecretName(decoded(name)) ? `${name}=${secretMask}` : parameter;
      })
      .join("&");
  const text = mark < 0 ? shown : `${shown.slice(0, mark)}?${parameters(shown.slice(mark + 1))}`;
  return withLength(text, path.length > maximumPath ? path.length : undefined);
}

/** Decodes a parameter's name in the same way as the service: `%61pi_key` is `api_key`. */
function decoded(name: string): string {
  if (!/[%+]/.test(name)) return name;
  const [read = name] = new URLSearchParams(`${name}=`).keys();
  return read;
}

function cut(text: string, maximum: number): string {
  return text.length > maximum ? withLength(text.slice(0, maximum), text.length) : text;
}

function withLength(text: string, length: number | undefined): string {
  return length === undefined ? text : `${text}… (${length} characters)`;
}
