import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { NotUtf8Error } from "./utf8-error.js";

function lineWithoutUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let start = 0;
  for (let line = 1; ; line += 1) {
    // A line feed never occurs inside a multibyte character.
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

/**
 * Decodes UTF-8 and removes a byte order mark.
 * @param options.keepsMark keeps the byte order mark, for callers that need exact positions
 * @throws NotUtf8Error
 */
export function decodeUtf8(bytes: Uint8Array, source: string, { keepsMark = false } = {}): string {
  const line = lineWithoutUtf8(bytes);
  if (line !== undefined) throw new NotUtf8Error(source, line);
  return new TextDecoder("utf-8", { ignoreBOM: keepsMark }).decode(bytes);
}

/** @throws NotUtf8Error, or the system's error if the file can't be read */
export async function readUtf8(path: string): Promise<string> {
  return decodeUtf8(await readFile(path), path);
}

/** Synchronous form of `readUtf8`, for files that every command reads. */
export function readUtf8Sync(path: string): string {
  return decodeUtf8(readFileSync(path), path);
}

/** @throws NotUtf8Error */
export async function readUtf8Stream(stream: Readable, source = "standard input"): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return decodeUtf8(Buffer.concat(chunks), source);
}

const replacementCharacter = "\ufffd";

export function hasLostLetters(text: string): boolean {
  return text.includes(replacementCharacter);
}

export const lostLettersReason =
  "contains U+FFFD (�), which replaces characters that could not be decoded; enter the text again as UTF-8";

/** Returns the path of the first string or field name with a replacement character (U+FFFD). */
export function findLostLetters(value: unknown): readonly (string | number)[] | undefined {
  if (typeof value === "string") return hasLostLetters(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = hasLostLetters(name) ? [] : findLostLetters(member);
    if (inner !== undefined) return [Array.isArray(value) ? Number(name) : name, ...inner];
  }
  return undefined;
}
