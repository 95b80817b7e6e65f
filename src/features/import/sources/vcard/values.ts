import { decodeWindows1252 } from "../code-pages.js";
import type { CardLine } from "./cards.js";

type Ical = typeof import("ical.js").default;

/**
 * A value as a list of parts, each of which is a list of strings. Only structured properties such as `N` have
 * several parts.
 */
export type Parts = readonly (readonly string[])[];

export type Version = "2.1" | "3.0" | "4.0";

/**
 * Stands for an escaped backslash while ical.js splits a value, because ical.js would treat a separator after
 * it as escaped. Decoded text can't contain this half of a surrogate pair.
 */
const escapedBackslash = "\ud800";

export async function loadValueReader(): Promise<(line: CardLine, version: Version) => Parts> {
  const { default: ical } = await import("ical.js");
  return (line, version) => parseValue(ical, line, version);
}

/** @throws Error if the value is malformed */
function parseValue(ical: Ical, line: CardLine, version: Version): Parts {
  const params = line.params.filter((param) => !isEncoding(param)).map(withName);
  const value = decodeValue(line, version);
  const design = version === "4.0" ? ical.design.vcard : ical.design.vcard3;
  const parsed: unknown = ical.parse.property(`${[line.name, ...params].join(";")}:${value}`, design);
  const [, , , ...values]: unknown[] = Array.isArray(parsed) ? parsed : [];
  return values.flatMap((entry): Parts => (Array.isArray(entry) ? entry.map(textsOf) : [textsOf(entry)]));
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return value === undefined || value === null ? [] : [String(value).replaceAll(escapedBackslash, "\\")];
}

/** Adds the parameter name `TYPE`, which vCard 2.1 omits. */
function withName(param: string): string {
  return param.includes("=") ? param : `TYPE=${param}`;
}

const encodings = /^(?:ENCODING\s*=\s*)?(?:QUOTED-PRINTABLE|BASE64|[78]-?BIT|B|Q)$/i;

function isEncoding(param: string): boolean {
  return encodings.test(param) || /^CHARSET\s*=/i.test(param);
}

/**
 * Returns the types of a property in lowercase: `work` and `fax` for `TYPE=WORK,FAX`, `TYPE="work,fax"` and
 * `WORK;FAX`.
 */
export function typesOf({ params }: CardLine): string[] {
  return params.flatMap((param) => {
    const [, types] = /^TYPE\s*=(.*)$/i.exec(withName(param)) ?? [];
    return types === undefined || isEncoding(param)
      ? []
      : types
          .split(/[",]/)
          .map((type) => type.trim().toLowerCase())
          .filter((type) => type !== "");
  });
}

/**
 * Converts a value to the format of vCard 3.0: decodes the value and escapes line endings. Replaces escaped
 * backslashes with `escapedBackslash`. Also escapes commas in a value of version 2.1, because commas don't
 * separate values in this version.
 * @throws Error for base64 text
 */
function decodeValue({ params, value }: CardLine, version: Version): string {
  const hasEncoding = (encoding: string) =>
    params.some((param) => new RegExp(`^(?:ENCODING\\s*=\\s*)?(?:${encoding})$`, "i").test(param));
  if (hasEncoding("BASE64|B")) throw new Error("base64 text");
  const isQuoted = hasEncoding("QUOTED-PRINTABLE");
  const charset = params.flatMap((param) => /^CHARSET\s*=\s*"?([^"]*)"?$/i.exec(param)?.[1] ?? []).at(0);
  const text = (isQuoted ? decodeQuoted(value, charset) : value).replaceAll("\\\\", escapedBackslash);
  const escaped = version === "2.1" ? text.replace(/\\?,/g, "\\,") : text;
  return escaped.replace(/\r\n?|\n/g, "\\n");
}

/** @throws Error for an unknown character set or invalid bytes */
function decodeQuoted(value: string, charset: string | undefined): string {
  const bytes: number[] = [];
  for (const part of value.match(/=[\da-f]{2}|[\s\S]/giu) ?? []) {
    if (/^=[\da-f]{2}$/i.test(part)) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part));
  }
  const encoded = Uint8Array.from(bytes);
  if (charset !== undefined) return new TextDecoder(charset, { fatal: true }).decode(encoded);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(encoded);
  } catch {
    return decodeWindows1252(encoded);
  }
}
