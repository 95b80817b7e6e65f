import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { createTemporaryFile } from "./temporary-file.js";

const ownersFile = 0o600;
const ownersFolder = 0o700;

/**
 * Makes a folder and those above it that are missing, its owner's alone whatever the umask. Not by `recursive`, which
 * never ends where a system refuses to make folders at all, as below /proc.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !(await pathExists(parent))) await makePrivateFolder(parent);
  try {
    await mkdir(folder, { mode: ownersFolder });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    return;
  }
  await chmod(folder, ownersFolder);
}

/**
 * A new file, its owner's alone whatever the umask.
 * @throws EEXIST where anything has its name, a link that leads nowhere too
 */
export async function createPrivateFile(path: string): Promise<FileHandle> {
  // O_EXCL follows no link.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const file = await open(path, flags, ownersFile);
  return setOwnerMode(file).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
}

/** A file that may not be written on, as writing on it would change something else. */
export class SharedFileError extends Error {
  override readonly name = "SharedFileError";
}

/**
 * A file that is there, to be written on.
 * @throws SharedFileError for a link, a device or a file with other names: they may lead to another owner's file
 */
export async function openPrivateFile(path: string): Promise<FileHandle> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) throw new SharedFileError(`${path} is a link`);
  if (!stats.isFile()) throw new SharedFileError(`${path} is no file`);
  // The inspected file may be another one now: the open itself follows no link, and the file is looked at again.
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw hasCode(cause, "ELOOP") ? new SharedFileError(`${path} is a link`, { cause }) : cause;
  });
  const opened = await file.stat();
  if (opened.isFile() && opened.nlink === 1) return setOwnerMode(file);
  await file.close();
  throw new SharedFileError(`${path} has other names`);
}

/**
 * Writes a whole file, its owner's alone. What has its name is replaced, and a link is not followed.
 * @throws EEXIST where something has its name and `replace` is not given
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { replace }: { replace: boolean },
): Promise<void> {
  const { temporaryPath: writtenPath, file } = replace
    ? await createTemporaryFile(path, createPrivateFile)
    : { temporaryPath: path, file: await createPrivateFile(path) };
  try {
    await file.writeFile(text);
    await file.close();
    if (replace) await rename(writtenPath, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(writtenPath, { force: true });
    throw error;
  }
}

async function setOwnerMode(file: FileHandle): Promise<FileHandle> {
  try {
    // The umask may have taken the owner's own bits.
    await file.chmod(ownersFile);
    return file;
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}

async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
