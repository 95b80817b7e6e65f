/** Reads the values of vCard properties of all versions. */
import { decodeWindows1252 } from "../code-pages.js";
import type { CardLine } from "./cards.js";

type Ical = typeof import("ical.js").default;

/** A value: of structured properties such as `N` a list of parts, each with its texts. */
export type Parts = readonly (readonly string[])[];

/** The versions of vCards that can be read. */
export type Version = "2.1" | "3.0" | "4.0";

/** Loads the library that parses vCards. */
export async function loadValueReader(): Promise<(line: CardLine, version: Version) => Parts> {
  const { default: ical } = await import("ical.js");
  return (line, version) => parseValue(ical, line, version);
}

/** @throws Error if the value is malformed */
function parseValue(ical: Ical, line: CardLine, version: Version): Parts {
  const params = line.params.filter((param) => !isEncoding(param)).map(withName);
  const value = version === "2.1" ? toCurrentForm(line) : line.value;
  const design = version === "4.0" ? ical.design.vcard : ical.design.vcard3;
  const parsed: unknown = ical.parse.property(`${[line.name, ...params].join(";")}:${value}`, design);
  const [, , , ...values]: unknown[] = Array.isArray(parsed) ? parsed : [];
  return values.flatMap((entry): Parts => (Array.isArray(entry) ? entry.map(textsOf) : [textsOf(entry)]));
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return value === undefined || value === null ? [] : [String(value)];
}

/** vCard 2.1 lists types and encodings without the name of their parameter. */
function withName(param: string): string {
  return param.includes("=") ? param : `TYPE=${param}`;
}

const encodings = /^(?:ENCODING\s*=\s*)?(?:QUOTED-PRINTABLE|BASE64|[78]-?BIT|B|Q)$/i;

function isEncoding(param: string): boolean {
  return encodings.test(param) || /^CHARSET\s*=/i.test(param);
}

/** The types of a property, in lower case: `TYPE=WORK,FAX`, `TYPE="work,fax"`, `WORK;FAX`. */
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

/** A value of vCard 2.1 in the form of 3.0: decoded, with commas and line ends escaped. */
function toCurrentForm({ params, value }: CardLine): string {
  const isQuoted = params.some((param) => /^(?:ENCODING\s*=\s*)?QUOTED-PRINTABLE$/i.test(param));
  const charset = params.flatMap((param) => /^CHARSET\s*=\s*"?([^"]*)"?$/i.exec(param)?.[1] ?? []).at(0);
  const text = isQuoted ? decodeQuoted(value, charset) : value;
  return text.replace(/\\?,/g, "\\,").replace(/\r\n?|\n/g, "\\n");
}

/** @throws Error for an unknown character set or bytes that it doesn't have */
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
