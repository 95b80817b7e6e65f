import { findExcess } from "../base/json-structure.js";
import type { TransportResponse } from "../base/transport.js";

/**
 * Limits for a JSON response. They are far above any real page, and are checked before parsing, because
 * parsing could exhaust memory.
 */

export const maximumResponseBytes = 16 * 1024 * 1024;
const maximumValues = 2_000_000;
const maximumNesting = 1_000;

export type ExceededBound = "bytes" | "values" | "nesting";

export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";
  constructor(readonly bound: ExceededBound) {
    super(describeExceededBound(bound));
  }
}

export function describeExceededBound(bound: ExceededBound): string {
  switch (bound) {
    case "bytes":
      return "the body is larger than 16 MiB";
    case "values":
      return "the body has more than 2,000,000 values";
    case "nesting":
      return "the body is nested more than 1,000 levels deep";
  }
}

/**
 * Closes the stream at the maximum size.
 * @throws ResponseTooLargeError
 */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await readBytes(body));
}

/** @throws ResponseTooLargeError */
export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maximumResponseBytes) throw new ResponseTooLargeError("bytes");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** @throws ResponseTooLargeError, SyntaxError */
export async function readJson(response: TransportResponse): Promise<unknown> {
  const text = await response.text();
  const exceeded = findExceededBound(text);
  if (exceeded) throw new ResponseTooLargeError(exceeded);
  return JSON.parse(text);
}

/** For text that is not JSON, only the size is limited. */
export function findExceededBound(text: string): ExceededBound | undefined {
  if (text.length * 3 > maximumResponseBytes && Buffer.byteLength(text) > maximumResponseBytes)
    return "bytes";
  return findExcess(text, { values: maximumValues, nesting: maximumNesting });
}
