import { damaged } from "./limits.js";

/** Names are passed without namespace prefixes. */
export interface XmlHandler {
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** Called for each piece of text. Entities are not decoded (see `decodeEntities`). */
  text?(piece: string): void;
}

/** Maximum number of characters in a tag. The longest attributes in spreadsheets are namespace URLs. */
const longestTag = 64 * 1024;

/**
 * Keeps only the current tag in memory. Rejects document type declarations, because their entities could
 * expand without limit.
 * @throws SpreadsheetError from `write` and `end`
 */
export function createXmlReader(handler: XmlHandler): { write(piece: string): void; end(): void } {
  let remainder = "";
  /**
   * End marker of the current section. The reader passes the text of a CDATA section to the handler, and
   * skips all other sections.
   */
  let section: "]]>" | "-->" | "?>" | undefined;

  function readSection(input: string, from: number, end: string): number {
    const at = input.indexOf(end, from);
    const until = at < 0 ? Math.max(from, input.length - end.length + 1) : at;
    if (end === "]]>" && until > from) handler.text?.(input.slice(from, until).replaceAll("&", "&amp;"));
    if (at < 0) return until;
    section = undefined;
    return at + end.length;
  }

  /** Reads markup and returns the position after it; undefined if the markup is incomplete. */
  function readMarkup(input: string, from: number): number | undefined {
    const next = input.charCodeAt(from + 1);
    if (next !== 0x21 && next !== 0x3f) {
      const end = tagEnd(input, from);
      if (end === undefined) return undefined;
      readTag(input.slice(from + 1, end), handler);
      return end + 1;
    }
    for (const [start, end] of sections) {
      if (input.startsWith(start, from)) {
        section = end;
        return from + start.length;
      }
      if (start.startsWith(input.slice(from, from + start.length))) return undefined;
    }
    if (input.startsWith("<!", from))
      throw damaged("the file contains a document type declaration, which spreadsheets never have");
    const end = tagEnd(input, from);
    if (end === undefined) return undefined;
    readTag(input.slice(from + 1, end), handler);
    return end + 1;
  }

  return {
    write(piece) {
      const input = remainder + piece;
      let at = 0;
      while (at < input.length) {
        if (section !== undefined) {
          const until = readSection(input, at, section);
          if (until === at) break;
          at = until;
          continue;
        }
        const markup = input.indexOf("<", at);
        const textEnd = markup < 0 ? input.length : markup;
        if (textEnd > at) handler.text?.(input.slice(at, textEnd));
        at = textEnd;
        if (markup < 0) break;
        const next = readMarkup(input, markup);
        if (next === undefined) break;
        at = next;
      }
      remainder = input.slice(at);
    },
    end() {
      if (remainder.trim() !== "" || section !== undefined) throw damaged("one of its parts is truncated");
    },
  };
}

const sections = [
  ["<![CDATA[", "]]>"],
  ["<!--", "-->"],
  ["<?", "?>"],
] as const;

/** Ignores any `>` in attribute values. */
function tagEnd(input: string, from: number): number | undefined {
  let quote = 0;
  const last = Math.min(input.length, from + longestTag);
  for (let at = from + 1; at < last; at += 1) {
    const code = input.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x3e) return at;
    else if (code === 0x22 || code === 0x27) quote = code;
  }
  if (last < input.length) throw damaged("one of its tags is too long");
  return undefined;
}

function readTag(tag: string, handler: XmlHandler): void {
  if (tag.startsWith("/")) {
    handler.close(localName(tag.slice(1).trimEnd()));
    return;
  }
  const empty = tag.endsWith("/");
  const content = empty ? tag.slice(0, -1) : tag;
  const space = content.search(/\s/);
  const name = localName(space < 0 ? content : content.slice(0, space));
  handler.open(name, space < 0 ? "" : content.slice(space));
  if (empty) handler.close(name);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Parses a tag's attributes, by name without prefix. */
export function attributesOf(attributes: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; ; ) {
    const sign = attributes.indexOf("=", at);
    if (sign < 0) return values;
    const start = sign + 1 + (attributes.slice(sign + 1, sign + 9).search(/\S/) || 0);
    const quote = attributes[start];
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, start + 1) : -1;
    if (end < 0) throw damaged("an attribute value is not quoted");
    values.set(
      localName(attributes.slice(at, sign).trim()),
      decodeEntities(attributes.slice(start + 1, end)),
    );
    at = end + 1;
  }
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{2,4}));/g,
    (written, decimal, hex, name) => {
      if (name !== undefined) return entities[name] ?? written;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    },
  );
}
