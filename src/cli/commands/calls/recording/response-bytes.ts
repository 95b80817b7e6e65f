/** What an answer says of the bytes that it brings: where they belong, and how many there are. */
import type { ApiResponse } from "../../../../client/types.js";
import { CliError, exits } from "../../../errors/errors.js";
import { isByteStream } from "../../../output/bytes.js";

/** Where an answer's bytes belong; undefined where they can't be put behind what there is. */
export function findStart(response: ApiResponse, written: number): number | undefined {
  // The whole file came, though a part may have been asked for: it is another one now.
  if (response.status !== 206) return 0;
  if (isEncoded(response)) return undefined;
  const start = parseRange(response)?.start ?? written;
  return start <= written ? start : undefined;
}

/** Is an answer encoded, so that its bytes are not those of the recording? */
export function isEncoded({ headers }: ApiResponse): boolean {
  return !["", "identity"].includes((headers["content-encoding"] ?? "").trim().toLowerCase());
}

/** @throws CliError 9 for a success that is no file */
export function getBytes(response: ApiResponse): AsyncIterable<Uint8Array> {
  const { body } = response;
  if (isByteStream(body)) return body;
  throw new CliError({
    exit: exits.unavailable,
    code: "invalid_response",
    message: `the answer is no recording, but ${response.headers["content-type"] ?? "nothing"}`,
  });
}

/** The part that an answer of 206 brings. */
export function parseRange(response: ApiResponse): { start: number; total: number | undefined } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers["content-range"] ?? "");
  if (response.status !== 206 || !match) return undefined;
  return { start: Number(match[1]), total: match[2] === "*" ? undefined : Number(match[2]) };
}

/** Bytes of the whole recording, where the answer tells. */
export function parseTotal(response: ApiResponse): number | undefined {
  if (response.status === 206) return parseRange(response)?.total;
  const length = response.headers["content-length"];
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}
