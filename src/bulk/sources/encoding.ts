import { BulkError } from "../errors.js";
import type { Encoding } from "./types.js";

/**
 * Finds out a file's encoding while all of its bytes go by: a byte order mark decides, else UTF-8 if every byte fits,
 * else Windows-1252, which any byte fits. Only the whole file can tell: the first umlaut may stand in its last line.
 */
export function detectEncoding(head: Uint8Array): {
  feed(chunk: Uint8Array): void;
  result(name: string): Encoding;
} {
  const marked = byteOrderMark(head);
  const strict = new TextDecoder("utf-8", { fatal: true });
  const lenient = new TextDecoder("utf-8");
  let valid = marked === undefined || marked === "utf-8";
  // Read as UTF-8: characters beyond ASCII that came out right, and bytes that fit nowhere.
  let right = 0;
  let wrong = 0;
  let lines = 1;
  let firstWrongLine = 0;

  const count = (text: string) => {
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit === 10) lines += 1;
      else if (unit === 0xfffd) {
        wrong += 1;
        if (wrong === 1) firstWrongLine = lines;
      } else if (unit > 0x7f) right += 1;
    }
  };

  return {
    feed: (chunk) => {
      if (marked === "utf-16le" || marked === "utf-16be") return;
      count(lenient.decode(chunk, { stream: true }));
      if (!valid) return;
      try {
        strict.decode(chunk, { stream: true });
      } catch {
        valid = false;
      }
    },
    result: (name) => {
      if (marked === "utf-16le" || marked === "utf-16be") return marked;
      count(lenient.decode());
      if (valid) {
        try {
          strict.decode();
          return "utf-8";
        } catch {
          valid = false;
        }
      }
      // Mostly good UTF-8 with a broken spot: read as Windows-1252, every umlaut in it would turn into two letters.
      if (marked === "utf-8" || right > wrong) {
        throw new BulkError(
          "encoding_broken",
          `${name} is UTF-8, but broken in ${wrong} ${wrong === 1 ? "place" : "places"}, first in line ${firstWrongLine}`,
          "save it again as UTF-8",
        );
      }
      return "windows-1252";
    },
  };
}

/** The encoding that the first bytes of a file say. */
export function byteOrderMark(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

/** The text of the bytes, without a byte order mark, every line break as `\n`. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string, void> {
  const decoder = encoding === "windows-1252" ? windows1252Decoder() : new TextDecoder(encoding);
  // A carriage return at a chunk's end may belong to a line feed in the next.
  let held = "";
  const lineBreaks = (text: string, last: boolean) => {
    let whole = held + text;
    held = "";
    if (!last && whole.endsWith("\r")) {
      held = "\r";
      whole = whole.slice(0, -1);
    }
    return whole.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole;
  };
  for await (const chunk of chunks) {
    const text = lineBreaks(decoder.decode(chunk, { stream: true }), false);
    if (text !== "") yield text;
  }
  const rest = lineBreaks(decoder.decode(), true);
  if (rest !== "") yield rest;
}

// The 32 places where Windows-1252 differs from Latin-1. By hand, because some releases of Node decode the one as the
// other.
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

function windows1252Decoder(): { decode(chunk?: Uint8Array, options?: { stream: boolean }): string } {
  return {
    decode: (chunk) =>
      chunk === undefined
        ? ""
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
            .toString("latin1")
            .replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character),
  };
}
