import { formatCount } from "../../../base/text.js";
import { BulkError } from "../../../write/errors.js";
import { decode850, decodeMacintosh, decodeWindows1252, encodeByTable, isMacintosh } from "./code-pages.js";
import type { Encoding } from "./types.js";

const encodingNames: Readonly<Record<string, Encoding>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "utf-16": "utf-16le",
  utf16: "utf-16le",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
  ansi: "windows-1252",
  latin1: "windows-1252",
  "iso-8859-1": "windows-1252",
  "windows-1250": "windows-1250",
  cp1250: "windows-1250",
  "windows-1254": "windows-1254",
  cp1254: "windows-1254",
  latin5: "windows-1254",
  "iso-8859-9": "windows-1254",
  latin2: "iso-8859-2",
  "iso-8859-2": "iso-8859-2",
  latin9: "iso-8859-15",
  "iso-8859-15": "iso-8859-15",
  macintosh: "macintosh",
  macroman: "macintosh",
  "mac-roman": "macintosh",
  ibm850: "ibm850",
  cp850: "ibm850",
  dos: "ibm850",
};

/** @throws BulkError for an unknown encoding */
export function parseEncoding(name: string): Encoding {
  const encoding = encodingNames[name.trim().toLowerCase()];
  if (encoding !== undefined) return encoding;
  throw new BulkError(
    "unknown_encoding",
    `--encoding: "${name}" is not a supported encoding`,
    `use one of ${[...new Set(Object.values(encodingNames))].join(", ")}`,
  );
}

export function watchUtf8(): { feed(chunk: Uint8Array): void; isUtf8(): boolean } {
  const strict = new TextDecoder("utf-8", { fatal: true });
  let valid = true;
  const decode = (chunk?: Uint8Array) => {
    try {
      if (valid) strict.decode(chunk, { stream: chunk !== undefined });
    } catch {
      valid = false;
    }
  };
  return {
    feed: decode,
    isUtf8: () => {
      decode();
      return valid;
    },
  };
}

/**
 * Detects a file's encoding. A file without a byte order mark is UTF-8 if all its bytes are valid UTF-8.
 * Distinguishes Windows-1252 from Mac Roman by the words in the whole file, because the first umlaut may be
 * in the last line.
 * @param chunks all bytes of the file; not read if `head` has a byte order mark
 * @throws BulkError `encoding_broken`
 */
export async function detectEncoding(
  head: Uint8Array,
  isUtf8: boolean,
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Encoding> {
  const marked = byteOrderMark(head) ?? unmarkedUtf16(head);
  if (marked === "utf-16le" || marked === "utf-16be") return marked;
  if (isUtf8) return "utf-8";
  const pages = isMacintosh();
  const { right, wrong, firstWrongLine } = await countAsUtf8(chunks, (chunk) => pages.feed(chunk));
  // The file is UTF-8 with a few errors. In Windows-1252, every umlaut would become two characters.
  if (marked === "utf-8" || right > wrong) throw brokenUtf8(name, wrong, firstWrongLine);
  return pages.result() ? "macintosh" : "windows-1252";
}

function brokenUtf8(name: string, wrong: number, firstWrongLine: number): BulkError {
  return new BulkError(
    "encoding_broken",
    `${name} has ${formatCount(wrong, "invalid UTF-8 sequence")}, the first on line ${firstWrongLine}`,
    "save the file again as UTF-8",
  );
}

/**
 * Throws an error with the first invalid line of a file for which the user specified UTF-8.
 * @throws BulkError `encoding_broken`
 */
export async function refuseAsUtf8(chunks: AsyncIterable<Uint8Array>, name: string): Promise<never> {
  const { wrong, firstWrongLine } = await countAsUtf8(chunks, () => {});
  throw new BulkError(
    "encoding_broken",
    `--encoding utf-8: ${name} has ${formatCount(wrong, "invalid UTF-8 sequence")}, the first on line ${firstWrongLine}`,
    "specify the file's encoding, or omit --encoding to detect the encoding",
  );
}

async function countAsUtf8(
  chunks: AsyncIterable<Uint8Array>,
  watch: (chunk: Uint8Array) => void,
): Promise<{ right: number; wrong: number; firstWrongLine: number }> {
  const lenient = new TextDecoder("utf-8");
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
  for await (const chunk of chunks) {
    count(lenient.decode(chunk, { stream: true }));
    watch(chunk);
  }
  count(lenient.decode());
  return { right, wrong, firstWrongLine };
}

export function byteOrderMark(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

/** In Latin text, every second byte of UTF-16 is zero. */
export function unmarkedUtf16(head: Uint8Array): Encoding | undefined {
  const pairs = Math.floor(head.length / 2);
  if (pairs < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < pairs * 2; index += 2) {
    if (head[index] === 0) even += 1;
    if (head[index + 1] === 0) odd += 1;
  }
  if (odd > pairs * 0.6 && even < pairs * 0.02) return "utf-16le";
  return even > pairs * 0.6 && odd < pairs * 0.02 ? "utf-16be" : undefined;
}

/** Decodes bytes to text, without the byte order mark and with `\n` for every line break. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string, void> {
  const decoder = decoderOf(encoding);
  // A carriage return at the end of a chunk may belong to a line feed in the next chunk.
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
  const remainder = lineBreaks(decoder.decode(), true);
  if (remainder !== "") yield remainder;
}

function decoderOf(encoding: Encoding): {
  decode(chunk?: Uint8Array, options?: { stream: boolean }): string;
} {
  const byHand = { "windows-1252": decodeWindows1252, macintosh: decodeMacintosh, ibm850: decode850 };
  if (encoding !== "windows-1252" && encoding !== "macintosh" && encoding !== "ibm850")
    return new TextDecoder(encoding);
  return { decode: (chunk) => (chunk === undefined ? "" : byHand[encoding](chunk)) };
}

/**
 * Returns an encoder for a file. The encoder writes a byte order mark for UTF-16, and for UTF-8 if the
 * original file has one. It uses UTF-8 with a byte order mark instead of an encoding that voxctl can't write.
 */
export function encoderOf(
  encoding: Encoding,
  marked: boolean,
): (text: string, isFirst: boolean) => Uint8Array {
  return (text, isFirst) => {
    const withMark = isFirst ? `\ufeff${text}` : text;
    if (encoding === "utf-16le") return Buffer.from(withMark, "utf16le");
    if (encoding === "utf-16be") return Buffer.from(withMark, "utf16le").swap16();
    if (encoding === "windows-1252" || encoding === "macintosh" || encoding === "ibm850")
      return encodeByTable(text, encoding);
    return Buffer.from(marked ? withMark : text, "utf8");
  };
}
