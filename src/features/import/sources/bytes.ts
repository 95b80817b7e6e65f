import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { untilAborted } from "../../../base/abort.js";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { addPath } from "../../../base/error-code.js";
import { BulkError } from "../../../write/errors.js";

const chunkBytes = 64 * 1024;

export interface StoredBytes {
  head(count: number): Promise<Uint8Array>;
  chunks(): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

/**
 * Copies a stream, such as standard input, to a temporary file that only the user can read. Except on
 * Windows, the copy disappears even if the process is killed.
 * @throws BulkError if the input can't be read; the signal's reason if it is aborted while waiting
 */
export async function storeBytes(
  input: { path: string } | { stream: AsyncIterable<Uint8Array | string> },
  options: { name: string; temporaryFolder: string; signal?: AbortSignal },
): Promise<StoredBytes> {
  if ("stream" in input) return spool(input.stream, options);
  const { name, signal } = options;
  const unreadable = (code: string) => (cause: unknown) => {
    throw new BulkError(code, `${name} can't be read: ${describeFsError(cause)}`, undefined, { cause });
  };
  const status = await stat(input.path).catch(unreadable("file_not_found"));
  if (status.isDirectory()) throw new BulkError("file_not_found", `${name} is a directory, not a file`);
  const opening = open(input.path, "r").catch(unreadable("file_not_readable"));
  if (status.isFile()) {
    const file = await opening;
    return stored(file, () => file.close());
  }
  // Opening a FIFO waits for its writer.
  const file = await untilAborted(opening, signal);
  try {
    return await spool(chunksOf(file, null), options);
  } finally {
    await file.close();
  }
}

async function spool(
  stream: AsyncIterable<Uint8Array | string>,
  { temporaryFolder, signal }: { temporaryFolder: string; signal?: AbortSignal },
): Promise<StoredBytes> {
  const folder = await mkdtemp(join(temporaryFolder, "voxctl-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "input");
    const file = await open(path, "wx+", 0o600);
    // Delete the open file, so that it disappears even if the process is killed. On Windows, `close` deletes
    // the file.
    if (process.platform !== "win32") await removeFolder();
    const copy = async () => {
      for await (const chunk of stream)
        await file
          .writeFile(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
          .catch((cause: unknown) => {
            throw addPath(cause, path);
          });
    };
    try {
      await untilAborted(copy(), signal);
    } catch (error) {
      await file.close();
      throw error;
    }
    return stored(file, async () => {
      await file.close();
      await removeFolder();
    });
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

function stored(file: FileHandle, close: () => Promise<void>): StoredBytes {
  return {
    head: async (count) => {
      const buffer = Buffer.alloc(count);
      const { bytesRead } = await file.read(buffer, 0, count, 0);
      return buffer.subarray(0, bytesRead);
    },
    chunks: () => chunksOf(file, 0),
    close,
  };
}

/** @param start first position to read; null for a pipe, which can only be read in order */
async function* chunksOf(file: FileHandle, start: number | null): AsyncGenerator<Uint8Array, void> {
  let position = start;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) return;
    if (position !== null) position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

export function digesting(): { update(chunk: Uint8Array): void; hex(): string } {
  const hash = createHash("sha256");
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest("hex") };
}
