import type { ApiResponse } from "../../../../client/types.js";
import { CliError, exits } from "../../../errors/errors.js";
import { isByteStream } from "../../../output/bytes.js";

/** Returns the offset at which to write the response's bytes; undefined if they can't be appended. */
export function findStart(response: ApiResponse, written: number): number | undefined {
  // The response contains the whole recording, for example because the recording has changed.
  if (response.status !== 206) return 0;
  if (isEncoded(response)) return undefined;
  const start = parseRange(response)?.start ?? written;
  return start <= written ? start : undefined;
}

/** Encoded bytes differ from the recording's bytes. */
export function isEncoded({ headers }: ApiResponse): boolean {
  return !["", "identity"].includes((headers["content-encoding"] ?? "").trim().toLowerCase());
}

/** @throws CliError with exit code 9 for a successful response without a file */
export function getBytes(response: ApiResponse): AsyncIterable<Uint8Array> {
  const { body } = response;
  if (isByteStream(body)) return body;
  throw new CliError({
    exit: exits.unavailable,
    code: "invalid_response",
    message: `the response is not a recording, but ${response.headers["content-type"] ?? "empty"}`,
  });
}

export function parseRange(response: ApiResponse): { start: number; total: number | undefined } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers["content-range"] ?? "");
  if (response.status !== 206 || !match) return undefined;
  return { start: Number(match[1]), total: match[2] === "*" ? undefined : Number(match[2]) };
}

/** Returns the recording's whole size in bytes; undefined if the response doesn't state it. */
export function parseTotal(response: ApiResponse): number | undefined {
  if (response.status === 206) return parseRange(response)?.total;
  const length = response.headers["content-length"];
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}
