/** Compares a partial file with the recording before a download appends bytes. */
import { lstat, open, stat } from "node:fs/promises";
import { setAside } from "../../../../base/set-aside.js";
import { ConnectionError } from "../../../../base/transport.js";
import { fillPath } from "../../../../client/addresses.js";
import { ClientError } from "../../../../client/errors.js";
import type { ApiResponse } from "../../../../client/types.js";
import { CliError, exits } from "../../../errors/errors.js";
import type { Connection } from "../../../session/session.js";
import { getBytes, parseRange, parseTotal } from "./response-bytes.js";
import type { Turn } from "./turn.js";

/** The file name may depend on the content type. */
export interface Destination {
  path(contentType: string): string;
  shown(contentType: string): string;
  expected: string;
  isGiven: boolean;
  /** @throws refused error (12) */
  refuseExisting(path: string): void;
}

export type Progress = (bytes: number, total: number | undefined) => void;

export interface Download {
  connection: Connection;
  signal: AbortSignal;
  callId: string;
  destination: Destination;
  force: boolean;
  onProgress: Progress;
  /** Lock for the partial file; undefined if the file is in a private directory. */
  turn?: Turn;
  /** Whether an interrupted download leaves no partial file and can't be resumed. */
  keepsNothing?: boolean;
  onSetAside?: (partialFile: string, renamed: string) => void;
}

export const maxAttempts = 4;
export const pauseMilliseconds = 500;
/** Number of bytes at the end of a partial file that must match the recording before a download resumes. */
export const overlapLength = 64;

/**
 * Requests the recording from a byte offset. If the recording has changed since `etag`, the service returns
 * the whole recording.
 */
export async function requestRecording(
  { connection, callId, signal }: Download,
  start: number,
  etag?: string,
  tries?: number,
): Promise<ApiResponse> {
  const headers: Record<string, string> = { accept: "audio/*, application/json" };
  if (start > 0) headers["range"] = `bytes=${start}-`;
  // Don't send a weak ETag. It never matches, so the service would return the whole file (RFC 9110, 13.1.5).
  if (start > 0 && etag !== undefined && !etag.startsWith("W/")) headers["if-range"] = etag;
  const rawPath = fillPath("/calls/{call_id}/recording", { call_id: callId });
  return connection.client.request(
    { api: "public", method: "GET", rawPath, headers },
    { signal, ...(tries === undefined ? {} : { attempts: tries }) },
  );
}

/** Requests the remaining bytes; undefined if the partial file is not the start of the recording. */
export async function requestRemainder(
  options: Download,
  path: string,
  size: number,
): Promise<{ response: ApiResponse; isWhole: boolean } | undefined> {
  const overlap = Math.min(overlapLength, size);
  let response: ApiResponse;
  try {
    response = await requestRecording(options, size - overlap);
  } catch (error) {
    // The file is longer than the recording (D-recording).
    if (error instanceof ClientError && error.status === 416) return undefined;
    throw error;
  }
  const range = parseRange(response);
  if (overlap < size && range?.start !== size - overlap) {
    await closePieces(getBytes(response)[Symbol.asyncIterator]());
    return undefined;
  }
  const ending = await readBytes(path, size - overlap, overlap);
  const { met, pieces } = await readFirstBytes(response, overlap);
  if (!met.subarray(0, overlap).equals(ending)) {
    await closePieces(pieces);
    return undefined;
  }
  const remaining = met.subarray(overlap);
  return {
    response: { ...response, body: joinBytes(remaining, pieces) },
    isWhole: parseTotal(response) === size,
  };
}

export async function setAsideForeignPart(
  options: Download,
  part: string,
  response: ApiResponse,
): Promise<ApiResponse> {
  const present = await lstat(part).catch(() => undefined);
  const size = present?.isFile() ? present.size : 0;
  if (options.onSetAside === undefined || size === 0) return response;
  const length = Math.min(overlapLength, size);
  const { met, pieces } = await readFirstBytes(response, length);
  if (!met.subarray(0, length).equals(await readBytes(part, 0, length)))
    options.onSetAside(part, await setAside(part));
  return { ...response, body: joinBytes(met, pieces) };
}

/**
 * Runs `ask` again if the connection is lost before the bytes for the comparison have arrived.
 * @throws CliError with exit code 9 after repeated losses; the partial file is unchanged
 */
export async function retryComparison<T>(
  { connection, signal }: Download,
  ask: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask();
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (!(cause instanceof ConnectionError)) throw cause;
      if (failures === maxAttempts)
        throw new CliError({
          exit: exits.unavailable,
          code: "connection_failed",
          message: "the connection was lost at the start of the recording; the partial file is kept",
          retryable: true,
          hint: "to continue, run the same command again",
          cause,
        });
      await connection.clock.sleep(pauseMilliseconds, signal);
    }
  }
}

async function readFirstBytes(
  response: ApiResponse,
  length: number,
): Promise<{ met: Buffer; pieces: AsyncIterator<Uint8Array> }> {
  const pieces = getBytes(response)[Symbol.asyncIterator]();
  let met: Buffer = Buffer.alloc(0);
  while (met.length < length) {
    const piece = await pieces.next();
    if (piece.done) break;
    met = Buffer.concat([met, piece.value]);
  }
  return { met, pieces };
}

export async function readBytes(path: string, start: number, length: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, start);
    return bytes;
  } finally {
    await file.close();
  }
}

async function closePieces(pieces: AsyncIterator<Uint8Array>): Promise<void> {
  await pieces.return?.().catch(() => undefined);
}

async function* joinBytes(
  first: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first;
  for (;;) {
    const piece = await pieces.next();
    if (piece.done) return;
    yield piece.value;
  }
}

export async function findFileSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}
