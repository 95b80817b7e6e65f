import type { TransportResponse } from "../base/transport.js";

/**
 * T22: the bounds of a JSON answer. A service's largest page is far below them; an answer beyond them would take more memory
 * than it is worth, so it is given up before it is parsed.
 */

/** Largest answer, in bytes of its decoded body. */
const maximumAnswerBytes = 16 * 1024 * 1024;
const maximumValues = 2_000_000;
const maximumNesting = 1_000;

/** The bound that an answer exceeds. */
export type ExceededBound = "bytes" | "values" | "nesting";

/** Reading an answer stopped at the bound. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
  constructor(readonly bound: ExceededBound) {
    super(describeExceededBound(bound));
  }
}

/** Names a bound with its value: `it has more than 2,000,000 values`. */
export function describeExceededBound(bound: ExceededBound): string {
  switch (bound) {
    case "bytes":
      return "it is larger than 16 MiB";
    case "values":
      return "it has more than 2,000,000 values";
    case "nesting":
      return "it is nested more than 1,000 levels deep";
  }
}

/**
 * Returns a body as UTF-8 text. Ends its stream as soon as the bound is exceeded.
 * @throws AnswerTooLarge
 */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await readBytes(body));
}

/**
 * Returns a body's bytes. See `readText`.
 * @throws AnswerTooLarge
 */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maximumAnswerBytes) throw new AnswerTooLarge("bytes");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Returns a body's JSON value, within the bounds.
 * @throws AnswerTooLarge, SyntaxError
 */
export async function readJson(response: TransportResponse): Promise<unknown> {
  const text = await response.text();
  const exceeded = findExceededBound(text);
  if (exceeded) throw new AnswerTooLarge(exceeded);
  return JSON.parse(text);
}

/** Returns the bound that a text exceeds, or undefined. A text that is not JSON exceeds none but that of its size. */
export function findExceededBound(text: string): ExceededBound | undefined {
  // Most answers are decided by their length.
  if (text.length * 3 > maximumAnswerBytes && Buffer.byteLength(text) > maximumAnswerBytes) return "bytes";
  const mayHaveTooManyValues = text.length >= 2 * maximumValues - 1;
  const mayBeTooDeep = text.length > 2 * maximumNesting && hasManyOpenings(text);
  return mayHaveTooManyValues || mayBeTooDeep ? countStructure(text) : undefined;
}

/** Returns whether a text has more opening brackets than levels are allowed. Far cheaper than a scan of each character. */
function hasManyOpenings(text: string): boolean {
  let count = 0;
  for (const bracket of "{[") {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > maximumNesting) return true;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
// The two kinds of brackets differ in one bit.
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Counts values and levels in one pass over the characters, without those in strings. */
function countStructure(text: string): "values" | "nesting" | undefined {
  let values = 1;
  let depth = 0;
  let isJustOpened = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character <= 0x20) continue;
    if ((character | bracketBit) === closing) depth -= 1;
    // A container has a value more than it has commas, unless it is empty.
    else if (isJustOpened || character === comma) values += 1;
    isJustOpened = (character | bracketBit) === opening;
    if (isJustOpened) depth += 1;
    else if (character === quote) at = endOfString(text, at);
    if (depth > maximumNesting) return "nesting";
    if (values > maximumValues) return "values";
    // No JSON: the parser reports it.
    if (depth === 0) return undefined;
  }
  return undefined;
}

/** Returns the index of the quote that ends the string that begins at an index. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
