import { constants, openSync, statSync } from "node:fs";
import { open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname, resolve } from "node:path";
import type { Clock } from "./clock.js";
import { createPrivateFile } from "./private-file.js";
import { createTemporaryFile } from "./temporary-file.js";

/** The entry at a path, with symbolic links followed to where writing would end up, whether it exists or not. */
export interface FileTarget {
  path: string;
  /** FIFOs and (character) devices are written into, and never replaced; `other`: a disk, a socket. */
  type: "absent" | "file" | "folder" | "fifo" | "device" | "other";
  /** The path given is a symbolic link to a file that doesn't exist. */
  isDangling: boolean;
}

/** A FIFO's reader may never come: by which clock he is waited for, and what ends that. */
export interface Waiting {
  clock: Clock;
  signal: AbortSignal;
}

/** How often a FIFO is asked whether it has a reader. */
const readerMilliseconds = 50;

/** @throws the file system's own error for a path that can't be looked at, or links that lead in a circle */
export async function resolveFileTarget(path: string): Promise<FileTarget> {
  const stats = await stat(path).catch(ignoreAbsent);
  if (stats === undefined) {
    const place = await findLinkTarget(resolve(path));
    return { path: place, type: "absent", isDangling: place !== resolve(path) };
  }
  const isDangling = false;
  if (stats.isFile()) return { path: await realpath(path), type: "file", isDangling };
  // Not by its links: those below /proc, where /dev/stdout leads, say what they are and name no place.
  if (stats.isDirectory()) return { path, type: "folder", isDangling };
  if (stats.isFIFO()) return { path, type: "fifo", isDangling };
  return { path, type: stats.isCharacterDevice() ? "device" : "other", isDangling };
}

/** Do two whole paths lead to one file, by whatever names, whether it is there yet or not? */
export function isSameFile(path: string, otherPath: string): boolean {
  if (path === otherPath) return true;
  const [stats, otherStats] = [path, otherPath].map((filePath) =>
    statSync(filePath, { throwIfNoEntry: false }),
  );
  return stats?.isFile() === true && stats.ino === otherStats?.ino && stats.dev === otherStats?.dev;
}

/** Where links end that lead to nothing; a circle of them was found out before. */
async function findLinkTarget(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : findLinkTarget(resolve(dirname(path), link));
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

type Texts = AsyncIterable<string | Uint8Array> | Iterable<string>;

/**
 * Writes all of the texts, or leaves what was there: beside the target, then moved into its place. FIFOs and devices
 * are written straight into. A new file is its owner's alone, with the mode 0600.
 * @throws the file system's error, the texts' own, the signal's reason
 */
export async function writeTarget({ path, type }: FileTarget, texts: Texts, waiting: Waiting): Promise<void> {
  if (type === "fifo") return writePipe(path, texts, waiting);
  if (type === "device") return writeDevice(path, texts);
  const { temporaryPath: draft, file } = await createTemporaryFile(path, createPrivateFile);
  try {
    for await (const text of texts) await file.writeFile(text);
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDevice(path: string, texts: Texts): Promise<void> {
  const file = await open(path, "w");
  try {
    for await (const text of texts) await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** As a socket is written: a reader who stops reading would hold a blocked write, and with it the process, for ever. */
async function writePipe(path: string, texts: Texts, waiting: Waiting): Promise<void> {
  const { signal } = waiting;
  const pipe = new Socket({ fd: await openPipe(path, waiting), readable: false, writable: true, signal });
  // Each write answers for itself.
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

/** Not by an open that waits in the system for a reader: no signal ends that. */
async function openPipe(path: string, { signal, clock }: Waiting): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENXIO")) throw error;
    }
    await clock.sleep(readerMilliseconds, signal);
  }
}
