/** Downloads that can be resumed. voxctl keeps a partial file, and renames it when it is complete. */
import { type FileHandle, lstat, rename, rm } from "node:fs/promises";
import { basename } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { resolveFileTarget } from "../../../../base/file-target.js";
import { createPrivateFile, openPrivateFile, SharedFileError } from "../../../../base/private-file.js";
import { setAside } from "../../../../base/set-aside.js";
import { ConnectionError } from "../../../../base/transport.js";
import { ClientError } from "../../../../client/errors.js";
import type { ApiResponse } from "../../../../client/types.js";
import { CliError, exits, refusedError, usageError } from "../../../errors/errors.js";
import { assertNoDanglingLink } from "../../../output/replaceable.js";
import {
  type Download,
  findFileSize,
  maxAttempts,
  overlapLength,
  pauseMilliseconds,
  readBytes,
  requestRecording,
  requestRemainder,
  retryComparison,
  setAsideForeignPart,
} from "./partial-file.js";
import { findStart, getBytes, isEncoded, parseTotal } from "./response-bytes.js";

interface Saved {
  file: string;
  bytes: number;
  contentType: string;
  wasComplete: boolean;
}

/**
 * @throws ClientError for an error response (404 without a recording)
 * @throws CliError with exit code 12 if the file exists, 9 after repeated connection failures, 6 if another
 * program removed the partial file
 */
export async function download(options: Download): Promise<Saved> {
  const { expected } = options.destination;
  await assertRegularFile(expected);
  // For a symbolic link, write next to its target, because a file can't be renamed across disks.
  const real = await resolveWritePath(expected, options);
  const turn = await options.turn?.(real);
  try {
    return await downloadTo(real, options);
  } finally {
    turn?.release();
  }
}

async function downloadTo(real: string, options: Download): Promise<Saved> {
  const { destination, force } = options;
  const { expected } = destination;
  const part = `${real}.part`;
  if (!force && (await findFileSize(expected)) !== undefined) destination.refuseExisting(expected);
  const begun = force ? undefined : (await findFileSize(part)) !== undefined ? part : real;
  const present = begun === undefined ? undefined : await findFileSize(begun);
  let response: ApiResponse | undefined;
  let kept = 0;
  if (begun !== undefined && present !== undefined && present > 0) {
    const resumed = await retryComparison(options, () => requestRemainder(options, begun, present));
    if (resumed) {
      response = resumed.response;
      kept = present;
      if (resumed.isWhole && begun === real) return toSaved(options, resumed, present);
      if (begun !== part) await rename(begun, part);
    } else if (begun === part && options.onSetAside) {
      options.onSetAside(part, await setAside(part));
    } else {
      throw refusedError(
        "file_exists",
        `${begun} is not a partial download of this recording`,
        "use --force to overwrite it",
      );
    }
  }
  // Send the request before creating a file: the recording may be missing.
  response ??= await retryComparison(options, async () => {
    const fresh = await requestRecording(options, 0);
    return force ? setAsideForeignPart(options, part, fresh) : fresh;
  });
  const file = kept > 0 ? await openShared(part) : await recreateFile(part);
  try {
    const { contentType, bytes } = await fillFile(file, kept, response, options);
    await file.sync();
    const { ino } = await file.stat();
    await file.close();
    if ((await lstat(part).catch(() => undefined))?.ino !== ino) throw toTakenError(part);
    await assertNotText(part, contentType);
    const path = destination.path(contentType);
    if (path !== expected && !force && (await findFileSize(path)) !== undefined)
      destination.refuseExisting(path);
    if (path !== expected) await assertRegularFile(path);
    await rename(part, path === expected ? real : await resolveWritePath(path, options));
    return { file: destination.shown(contentType), bytes, contentType, wasComplete: false };
  } finally {
    await file.close().catch(() => undefined);
  }
}

/**
 * Returns the target of a symbolic link, unless --force replaces the link itself.
 * @throws refused error (12) for a link to a missing file, because another user may have chosen that file's
 * path
 */
async function resolveWritePath(path: string, { destination, force }: Download): Promise<string> {
  const target = await resolveFileTarget(path);
  if (!(await isLink(path))) return target.path;
  if (target.type === "file" && (destination.isGiven || !force)) return target.path;
  if (force) return path;
  assertNoDanglingLink(target, path);
  return target.path;
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
}

/** A faulty service or proxy may send JSON or HTML instead of a recording. */
const textBeginnings = /^\s*(?:\{\s*"|\[\s*[{"]|<[!?a-z])/i;

/** @throws CliError with exit code 9 for text that is sent with an audio content type */
async function assertNotText(part: string, contentType: string): Promise<void> {
  const text = (await readBytes(part, 0, overlapLength)).toString("latin1").replace(/\0+$/, "");
  if (!textBeginnings.test(text)) return;
  await rm(part, { force: true });
  throw new CliError({
    exit: exits.unavailable,
    code: "invalid_response",
    message: `invalid recording: the response has the type ${contentType}, but contains text that starts with ${JSON.stringify(text.slice(0, 20))}`,
    retryable: true,
  });
}

/** Another voxctl process with a different data directory may remove a partial file. */
function toTakenError(part: string): CliError {
  return new CliError({
    exit: exits.conflict,
    code: "draft_taken",
    message: `another program removed ${part}; it may be downloading the same recording`,
    hint: "wait until that program ends, then run the command again",
  });
}

/** Refuses symbolic and hard links, because a link may lead to another user's file. */
async function openShared(part: string): Promise<FileHandle> {
  return openPrivateFile(part).catch((error: unknown) => {
    throw error instanceof SharedFileError
      ? refusedError("file_exists", error.message, "delete the file, or use --force")
      : error;
  });
}

export function formatSetAside(draft: string, kept: string): string {
  return `${draft} belongs to another recording: renamed it to ${basename(kept)} and restarted the download`;
}

async function recreateFile(part: string): Promise<FileHandle> {
  await rm(part, { force: true });
  return createPrivateFile(part);
}

function toSaved({ destination }: Download, { response }: { response: ApiResponse }, bytes: number): Saved {
  const contentType = response.headers["content-type"] ?? "";
  return { file: destination.shown(contentType), bytes, contentType, wasComplete: true };
}

/**
 * Refuses a directory, pipe or device, because a download can only be resumed if it is a regular file.
 * @throws usage error (2)
 */
async function assertRegularFile(path: string): Promise<void> {
  const { type } = await resolveFileTarget(path).catch((cause: unknown) => {
    throw usageError(`${path} can't be written: ${describeFsError(cause, "write")}`, { cause });
  });
  if (type === "absent" || type === "file") return;
  const what = type === "folder" ? "a directory" : type === "fifo" ? "a pipe" : "a device";
  throw usageError(`${path} can't be written: it is ${what}, not a file`);
}

/**
 * After a lost connection, requests the remaining bytes with the recording's ETag, so that all bytes belong
 * to the same recording.
 */
async function fillFile(
  file: FileHandle,
  kept: number,
  first: ApiResponse,
  options: Download,
): Promise<{ contentType: string; bytes: number }> {
  let written = kept;
  let response: ApiResponse | undefined = first;
  let etag: string | undefined;
  let total: number | undefined;
  let cause: unknown;
  for (let failures = 0; failures < maxAttempts; ) {
    const before = written;
    try {
      response ??= await requestRecording(options, written, etag, 1);
      const isOther = etag !== undefined && (response.headers["etag"] ?? etag) !== etag;
      const start = response === first ? written : findStart(response, written);
      etag = response.headers["etag"] ?? etag;
      // Start again: these bytes are encoded, leave a gap or belong to another recording.
      if (start === undefined || (isOther && start > 0)) written = 0;
      else {
        written = start;
        total = parseTotal(response);
        for await (const piece of getBytes(response)) {
          await file.write(piece, 0, piece.length, written);
          written += piece.length;
          options.onProgress(written, total);
        }
        if (total === undefined || total === written) {
          await file.truncate(written);
          return { contentType: response.headers["content-type"] ?? "", bytes: written };
        }
        if (response.status === 206 && written > before && written < total) {
          response = undefined;
          continue;
        }
      }
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (!isTransient(error)) throw error;
      cause = error;
      // Start again: an offset in the decoded recording is not valid in the encoded recording.
      if (response !== undefined && isEncoded(response)) written = 0;
    }
    // The file has more bytes than the recording: start again.
    if (total !== undefined && written > total) written = 0;
    failures += 1;
    response = undefined;
    if (failures < maxAttempts) await options.connection.clock.sleep(pauseMilliseconds, options.signal);
  }
  throw new CliError({
    exit: exits.unavailable,
    code: "connection_failed",
    message: `the connection was lost after ${written} of ${total ?? "?"} bytes; ${options.keepsNothing ? "nothing was written" : "the partial file is kept"}`,
    retryable: true,
    hint: options.keepsNothing
      ? "to keep partial downloads, use --out FILE"
      : "to continue the download, run the same command again",
    cause,
  });
}

function isTransient(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ClientError && error.retryable);
}
