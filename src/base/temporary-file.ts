import { closeSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, rename, rm } from "node:fs/promises";
import { addPath, hasCode } from "./error-code.js";

/** Maximum number of names to try. Interrupted commands can leave temporary files with these names. */
const maximumAttempts = 100;

/**
 * Creates a temporary file next to the target. Never overwrites an existing file, because it may belong to
 * another process.
 * @param create creates a new file or throws EEXIST
 */
async function createTemporaryFile<File>(
  path: string,
  create: (temporaryPath: string) => Promise<File>,
): Promise<{ temporaryPath: string; file: File }> {
  for (let count = 1; ; count += 1) {
    const temporaryPath = formatTemporaryName(path, count);
    try {
      return { temporaryPath, file: await create(temporaryPath) };
    } catch (error) {
      if (!isTaken(error, count)) throw error;
    }
  }
}

/**
 * Writes a temporary file and renames it to the file's name. Readers therefore see either the old or the
 * complete new content.
 * @param create see `createTemporaryFile`
 */
export async function replaceByRename(
  path: string,
  create: (temporaryPath: string) => Promise<FileHandle>,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const { temporaryPath, file } = await createTemporaryFile(path, create);
  try {
    await write(file);
    await file.close();
    await rename(temporaryPath, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporaryPath, { force: true });
    throw addPath(error, path);
  }
}

function createTemporaryFileSync<File>(
  path: string,
  create: (temporaryPath: string) => File,
): { temporaryPath: string; file: File } {
  for (let count = 1; ; count += 1) {
    const temporaryPath = formatTemporaryName(path, count);
    try {
      return { temporaryPath, file: create(temporaryPath) };
    } catch (error) {
      if (!isTaken(error, count)) throw error;
    }
  }
}

/**
 * Synchronous form of `replaceByRename`. No signal handler can run between the steps, so a signal leaves no
 * temporary file.
 * @param create creates a new file and returns its descriptor, or throws EEXIST
 */
export function replaceByRenameSync(
  path: string,
  create: (temporaryPath: string) => number,
  text: string,
): void {
  const { temporaryPath, file } = createTemporaryFileSync(path, create);
  try {
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    renameSync(temporaryPath, path);
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw addPath(error, path);
  }
}

const formatTemporaryName = (path: string, count: number) =>
  count === 1 ? `${path}.part` : `${path}.${count}.part`;

function isTaken(error: unknown, count: number): boolean {
  return count < maximumAttempts && hasCode(error, "EEXIST");
}
