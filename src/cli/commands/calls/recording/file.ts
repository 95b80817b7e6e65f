/** A download that can stop anywhere: what has arrived is kept, gone on with, and only named when it is whole. */
import { type FileHandle, lstat, open, rename, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { fileTarget } from "../../../../base/file-target.js";
import { createPrivateFile, openPrivateFile, SharedFileError } from "../../../../base/private-file.js";
import { ConnectionError } from "../../../../base/transport.js";
import { ClientError } from "../../../../client/errors.js";
import type { Answer } from "../../../../client/types.js";
import { CliError, exits, refusedError, usageError } from "../../../errors/errors.js";
import type { Connection } from "../../../session/session.js";
import { bytesOf, isEncoded, rangeOf, startOf, totalOf } from "./answer-bytes.js";
import type { Turn } from "./turn.js";

/** Where it goes; a name may depend on what comes. */
export interface Destination {
  path(contentType: string): string;
  /** The same as the person wrote it. */
  shown(contentType: string): string;
  /** The path as far as it can be known before anything comes. */
  expected: string;
  /** @throws refused error (12) */
  refuseExisting(path: string): void;
}

/** Told of bytes so far, and of all there are. */
export type Progress = (bytes: number, total: number | undefined) => void;

interface Download {
  connection: Connection;
  signal: AbortSignal;
  callId: string;
  destination: Destination;
  resume: boolean;
  force: boolean;
  onProgress: Progress;
  /** Waits until no other process fills the file; left out for a folder that is this process' own. */
  turn?: Turn;
  /** What has arrived is gone with the command, so that nothing can be gone on with. */
  keepsNothing?: boolean;
  /** A draft that is no part of the recording is kept under the name that this is told, and the download begins anew. */
  onSetAside?: (draft: string, kept: string) => void;
}

interface Saved {
  file: string;
  bytes: number;
  contentType: string;
  /** There was nothing left to download. */
  wasComplete: boolean;
}

const attempts = 4;
const pauseMilliseconds = 500;
/** Bytes at the end of what is there that must be the recording's own, before more is put behind them. */
const overlapLength = 64;

/**
 * @throws ClientError as the service answers (404 where there is no recording)
 * @throws CliError 12 when a file is in the way, 9 when the connection was cut again and again, 6 when another program
 *   took the draft away
 */
export async function download(options: Download): Promise<Saved> {
  const { expected } = options.destination;
  await refuseOther(expected);
  // Beside what a link leads to: from another disk it could not be moved there.
  const { path: real } = await fileTarget(expected);
  const turn = await options.turn?.(real);
  try {
    return await downloadTo(real, options);
  } finally {
    turn?.release();
  }
}

async function downloadTo(real: string, options: Download): Promise<Saved> {
  const { destination, resume, force } = options;
  const { expected } = destination;
  const part = `${real}.part`;
  if (!resume && !force && (await sizeOf(expected)) !== undefined) destination.refuseExisting(expected);
  // A file that another program left unfinished is gone on with, too.
  const begun = !resume ? undefined : (await sizeOf(part)) !== undefined ? part : real;
  const present = begun === undefined ? undefined : await sizeOf(begun);
  let answer: Answer | undefined;
  let kept = 0;
  if (begun !== undefined && present !== undefined && present > 0) {
    const resumed = await untilCompared(options, () => askForRest(options, begun, present));
    if (resumed) {
      answer = resumed.answer;
      kept = present;
      if (resumed.isWhole && begun === real) return whole(options, resumed, present);
      if (begun !== part) await rename(begun, part);
    } else if (!force && begun === part && options.onSetAside) {
      options.onSetAside(part, await setAside(part));
    } else if (!force) {
      throw refusedError(
        `${begun} is no part of this recording; nothing was downloaded`,
        "--force begins anew, and overwrites it",
      );
    }
  }
  // Before there is a file: where there is no recording, none is left behind.
  answer ??= await untilCompared(options, async () => {
    const anew = await request(options, 0);
    return resume ? anew : keepForeign(options, part, anew);
  });
  const file = kept > 0 ? await openShared(part) : await createAnew(part);
  try {
    const { contentType, bytes } = await fill(file, kept, answer, options);
    await file.sync();
    const { ino } = await file.stat();
    await file.close();
    if ((await lstat(part).catch(() => undefined))?.ino !== ino) throw takenAway(part);
    await refuseText(part, contentType);
    const path = destination.path(contentType);
    if (path !== expected && !force && (await sizeOf(path)) !== undefined) destination.refuseExisting(path);
    if (path !== expected) await refuseOther(path);
    // A link stays one.
    await rename(part, (await fileTarget(path)).path);
    return { file: destination.shown(contentType), bytes, contentType, wasComplete: false };
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** What a broken service, or a proxy before it, answers in a recording's place. */
const textBeginnings = /^\s*(?:\{\s*"|\[\s*[{"]|<[!?a-z])/i;

/** @throws CliError 9 for a text that says to be audio: under a recording's name it would be there for ever */
async function refuseText(part: string, contentType: string): Promise<void> {
  const text = (await read(part, 0, overlapLength)).toString("latin1").replace(/\0+$/, "");
  if (!textBeginnings.test(text)) return;
  await rm(part, { force: true });
  throw new CliError({
    exit: exits.unavailable,
    code: "invalid_response",
    message: `the answer says ${contentType}, and is a text that begins with ${JSON.stringify(text.slice(0, 20))}; nothing was kept`,
    retryable: true,
  });
}

/** What has the draft's name now may be half of a recording, of a process with another data folder. */
function takenAway(part: string): CliError {
  return new CliError({
    exit: exits.conflict,
    code: "draft_taken",
    message: `${part} was taken away by another program, which may be downloading the same recording`,
    hint: "when that one has ended, the same command with --resume completes what is missing",
  });
}

/** Never through a link, nor onto a file that has other names: what they lead to is not the recording's. */
async function openShared(part: string): Promise<FileHandle> {
  return openPrivateFile(part).catch((error: unknown) => {
    throw error instanceof SharedFileError
      ? refusedError(`${error.message}; nothing was written`, "Remove it, or begin anew without --resume")
      : error;
  });
}

export function setAsideText(draft: string, kept: string): string {
  return `${draft} is no part of the recording: it is kept as ${basename(kept)}, and the download begins anew`;
}

/** Renames a file to what no other is called. */
async function setAside(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const kept = `${path}.${count}.bad`;
    if ((await sizeOf(kept)) !== undefined) continue;
    await rename(path, kept);
    return kept;
  }
}

/** A file of that name is removed, even if it is a link. */
async function createAnew(part: string): Promise<FileHandle> {
  await rm(part, { force: true });
  return createPrivateFile(part);
}

function whole({ destination }: Download, { answer }: { answer: Answer }, bytes: number): Saved {
  const contentType = answer.headers["content-type"] ?? "";
  return { file: destination.shown(contentType), bytes, contentType, wasComplete: true };
}

/** A download can't be gone on with, nor be moved into its place, but in a file. @throws usage error (2) */
async function refuseOther(path: string): Promise<void> {
  const { kind } = await fileTarget(path).catch((cause: unknown) => {
    throw usageError(`${path} can't be written: ${describeFsError(cause, "write")}`, { cause });
  });
  if (kind === "absent" || kind === "file") return;
  const what = kind === "folder" ? "a folder" : kind === "fifo" ? "a pipe" : "a device";
  throw usageError(`${path} can't be written: it is ${what}, and a recording goes to a file`);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** The recording from a byte on; of the very file that `etag` names, if it is still the same. */
async function request(
  { connection, callId, signal }: Download,
  start: number,
  etag?: string,
  tries?: number,
): Promise<Answer> {
  const headers: Record<string, string> = { accept: "audio/*, application/json" };
  if (start > 0) headers["range"] = `bytes=${start}-`;
  // RFC 9110, 13.1.5: a weak tag never matches, and would bring the whole file each time.
  if (start > 0 && etag !== undefined && !etag.startsWith("W/")) headers["if-range"] = etag;
  const rawPath = `/calls/${callId}/recording`;
  return connection.client.request(
    { surface: "public", method: "GET", rawPath, headers },
    { signal, ...(tries === undefined ? {} : { attempts: tries }) },
  );
}

/**
 * Asks for what follows the bytes of a file, and takes those that it has in common off the answer.
 * @returns undefined when the file is not the recording's beginning
 */
async function askForRest(
  options: Download,
  path: string,
  size: number,
): Promise<{ answer: Answer; isWhole: boolean } | undefined> {
  const overlap = Math.min(overlapLength, size);
  let answer: Answer;
  try {
    answer = await request(options, size - overlap);
  } catch (error) {
    // D-recording: the file is longer than the recording.
    if (error instanceof ClientError && error.status === 416) return undefined;
    throw error;
  }
  const range = rangeOf(answer);
  if (overlap < size && range?.start !== size - overlap) {
    await end(bytesOf(answer)[Symbol.asyncIterator]());
    return undefined;
  }
  const ending = await read(path, size - overlap, overlap);
  const { met, pieces } = await take(answer, overlap);
  if (!met.subarray(0, overlap).equals(ending)) {
    await end(pieces);
    return undefined;
  }
  const rest = met.subarray(overlap);
  return { answer: { ...answer, body: joined(rest, pieces) }, isWhole: totalOf(answer) === size };
}

/** A file that does not begin as the recording does is nobody's draft of it, and is kept under another name. */
async function keepForeign(options: Download, part: string, answer: Answer): Promise<Answer> {
  const present = await lstat(part).catch(() => undefined);
  const size = present?.isFile() ? present.size : 0;
  if (options.onSetAside === undefined || size === 0) return answer;
  const length = Math.min(overlapLength, size);
  const { met, pieces } = await take(answer, length);
  if (!met.subarray(0, length).equals(await read(part, 0, length)))
    options.onSetAside(part, await setAside(part));
  return { ...answer, body: joined(met, pieces) };
}

/**
 * Asks again where the connection is cut before the bytes have come that are to be compared with a file's.
 * @throws CliError 9 where it is cut again and again; what is there stays as it is
 */
async function untilCompared<T>({ connection, signal }: Download, ask: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask();
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (!(cause instanceof ConnectionError)) throw cause;
      if (failures === attempts)
        throw new CliError({
          exit: exits.unavailable,
          code: "connection_failed",
          message: "the recording was cut off at its beginning; what is there already is kept",
          retryable: true,
          hint: "the same command again goes on with it",
          cause,
        });
      await connection.clock.sleep(pauseMilliseconds, signal);
    }
  }
}

/** The first bytes of an answer, so many at least where it has them, and what follows. */
async function take(
  answer: Answer,
  length: number,
): Promise<{ met: Buffer; pieces: AsyncIterator<Uint8Array> }> {
  const pieces = bytesOf(answer)[Symbol.asyncIterator]();
  let met: Buffer = Buffer.alloc(0);
  while (met.length < length) {
    const piece = await pieces.next();
    if (piece.done) break;
    met = Buffer.concat([met, piece.value]);
  }
  return { met, pieces };
}

async function read(path: string, start: number, length: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, start);
    return bytes;
  } finally {
    await file.close();
  }
}

async function end(pieces: AsyncIterator<Uint8Array>): Promise<void> {
  await pieces.return?.().catch(() => undefined);
}

async function* joined(
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

/**
 * Writes what comes behind the bytes that are kept; after a cut goes on with the same file by its tag. T19: a range may
 * be answered by a shorter one, again and again, as long as each brings something; four failures end it.
 */
async function fill(
  file: FileHandle,
  kept: number,
  first: Answer,
  options: Download,
): Promise<{ contentType: string; bytes: number }> {
  let written = kept;
  let answer: Answer | undefined = first;
  let etag: string | undefined;
  let total: number | undefined;
  let cause: unknown;
  for (let failures = 0; failures < attempts; ) {
    const before = written;
    try {
      answer ??= await request(options, written, etag, 1);
      const start = answer === first ? written : startOf(answer, written);
      // Not what follows: a part of an encoded recording can't be decoded, one from further on leaves a gap.
      if (start === undefined) written = 0;
      else {
        written = start;
        etag = answer.headers["etag"] ?? etag;
        total = totalOf(answer);
        for await (const piece of bytesOf(answer)) {
          await file.write(piece, 0, piece.length, written);
          written += piece.length;
          options.onProgress(written, total);
        }
        if (total === undefined || total === written) {
          await file.truncate(written);
          return { contentType: answer.headers["content-type"] ?? "", bytes: written };
        }
        if (answer.status === 206 && written > before && written < total) {
          answer = undefined;
          continue;
        }
      }
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (!mayPass(error)) throw error;
      cause = error;
      // Bytes of a decoded recording are no place in the encoded one, from where it could be gone on with.
      if (answer !== undefined && isEncoded(answer)) written = 0;
    }
    // More than there is: nothing of it can be trusted.
    if (total !== undefined && written > total) written = 0;
    failures += 1;
    answer = undefined;
    if (failures < attempts) await options.connection.clock.sleep(pauseMilliseconds, options.signal);
  }
  throw new CliError({
    exit: exits.unavailable,
    code: "connection_failed",
    message: `the recording was cut off after ${written} of ${total ?? "?"} bytes; ${options.keepsNothing ? "nothing was written" : "they are kept"}`,
    retryable: true,
    hint: options.keepsNothing
      ? "the same command begins anew; --output FILE keeps what has arrived"
      : "--resume goes on from there",
    cause,
  });
}

/** A cut, too little in time, or a service that fails for now. */
function mayPass(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ClientError && error.retryable);
}
