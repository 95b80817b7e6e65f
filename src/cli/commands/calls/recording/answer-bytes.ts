/** What an answer says of the bytes that it brings: where they belong, and how many there are. */
import type { Answer } from "../../../../client/types.js";
import { CliError, exits } from "../../../errors/errors.js";
import { isByteStream } from "../../../output/bytes.js";

/** Where an answer's bytes belong; undefined where they can't be put behind what there is. */
export function startOf(answer: Answer, written: number): number | undefined {
  // The whole file came, though a part may have been asked for: it is another one now.
  if (answer.status !== 206) return 0;
  if (isEncoded(answer)) return undefined;
  const start = rangeOf(answer)?.start ?? written;
  return start <= written ? start : undefined;
}

/** Is an answer encoded, so that its bytes are not those of the recording? */
export function isEncoded({ headers }: Answer): boolean {
  return !["", "identity"].includes((headers["content-encoding"] ?? "").trim().toLowerCase());
}

/** @throws CliError 9 for a success that is no file */
export function bytesOf(answer: Answer): AsyncIterable<Uint8Array> {
  const { body } = answer;
  if (isByteStream(body)) return body;
  throw new CliError({
    exit: exits.unavailable,
    code: "invalid_response",
    message: `the answer is no recording, but ${answer.headers["content-type"] ?? "nothing"}`,
  });
}

/** The part that an answer of 206 brings. */
export function rangeOf(answer: Answer): { start: number; total: number | undefined } | undefined {
  const found = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.headers["content-range"] ?? "");
  if (answer.status !== 206 || !found) return undefined;
  return { start: Number(found[1]), total: found[2] === "*" ? undefined : Number(found[2]) };
}

/** Bytes of the whole recording, where the answer tells. */
export function totalOf(answer: Answer): number | undefined {
  if (answer.status === 206) return rangeOf(answer)?.total;
  const length = answer.headers["content-length"];
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}
