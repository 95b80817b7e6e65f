import { constants, openSync, type Stats, statSync } from "node:fs";
import { open, readlink, realpath, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname, resolve } from "node:path";
import type { Clock } from "./clock.js";
import { hasCode } from "./error-code.js";
import { createPrivateFile } from "./private-file.js";
import { replaceByRename } from "./temporary-file.js";

export interface FileTarget {
  path: string;
  /**
   * voxctl writes to FIFOs and character devices but never replaces them. `other` is, for example, a disk or
   * a socket.
   */
  type: "absent" | "file" | "folder" | "fifo" | "device" | "other";
  isDangling: boolean;
}

export interface Waiting {
  clock: Clock;
  signal: AbortSignal;
}

/** Interval between checks for a FIFO's reader. */
const readerMilliseconds = 50;

/** @throws the file system's error for an unreadable path or a cycle of links */
export async function resolveFileTarget(path: string): Promise<FileTarget> {
  const stats = await stat(path).catch(ignoreAbsent);
  if (stats === undefined) {
    const place = await findLinkTarget(resolve(path));
    return { path: place, type: "absent", isDangling: place !== resolve(path) };
  }
  const isDangling = false;
  if (stats.isFile()) return { path: await realpath(path), type: "file", isDangling };
  // Don't resolve the path, because `/dev/stdout` may refer to a pipe, which has no path.
  if (stats.isDirectory()) return { path, type: "folder", isDangling };
  if (stats.isFIFO()) return { path, type: "fifo", isDangling };
  return { path, type: stats.isCharacterDevice() ? "device" : "other", isDangling };
}

export function isSameFile(path: string, otherPath: string): boolean {
  if (path === otherPath) return true;
  const [stats, otherStats] = [path, otherPath].map(findStats);
  if (stats === undefined || !(stats.isFile() || stats.isFIFO())) return false;
  return stats.ino === otherStats?.ino && stats.dev === otherStats.dev;
}

export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The caller has already excluded cycles of links. */
async function findLinkTarget(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : findLinkTarget(resolve(dirname(path), link));
}

function ignoreAbsent(error: unknown): undefined {
  if (hasCode(error, "ENOENT")) return undefined;
  throw error;
}

type Texts = AsyncIterable<string | Uint8Array> | Iterable<string>;

/**
 * A regular file is replaced only after all chunks are written; FIFOs and devices are written directly.
 * @throws the file system's error, an error from `texts`, or the signal's reason
 */
export async function writeTarget({ path, type }: FileTarget, texts: Texts, waiting: Waiting): Promise<void> {
  if (type === "fifo") return writePipe(path, texts, waiting);
  if (type === "device") return writeDevice(path, texts);
  await replaceByRename(path, createPrivateFile, async (file) => {
    for await (const text of texts) await file.writeFile(text);
  });
}

async function writeDevice(path: string, texts: Texts): Promise<void> {
  const file = await open(path, "w");
  try {
    for await (const text of texts) await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Writes asynchronously: a synchronous write would block the process until the FIFO's reader continues. */
async function writePipe(path: string, texts: Texts, waiting: Waiting): Promise<void> {
  const { signal } = waiting;
  const pipe = new Socket({ fd: await openPipe(path, waiting), readable: false, writable: true, signal });
  // Ignore the event: each failed write reports its own error.
  pipe.on("error", () => {});
  try {
    for await (const text of texts) await writeToPipe(pipe, text, signal);
  } finally {
    await closePipe(pipe);
  }
}

function writeToPipe(pipe: Socket, text: string | Uint8Array, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    pipe.write(text, (error) => (error ? failed(signal.aborted ? signal.reason : error) : done()));
  });
}

function closePipe(pipe: Socket): Promise<void> {
  return new Promise((done) => {
    pipe.once("close", () => done());
    if (pipe.closed) done();
    pipe.destroy();
  });
}

/** Polls for a reader, because a signal can't interrupt opening a FIFO in blocking mode. */
async function openPipe(path: string, { signal, clock }: Waiting): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!hasCode(error, "ENXIO")) throw error;
    }
    await clock.sleep(readerMilliseconds, signal);
  }
}
