import { chmodSync, constants, lstatSync, mkdirSync } from "node:fs";
import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { addPath, hasCode } from "./error-code.js";
import { replaceByRename } from "./temporary-file.js";

const ownersFile = 0o600;
const ownersFolder = 0o700;

/**
 * Creates a directory and its missing parents for the owner only, regardless of the umask. Doesn't use
 * `mkdir` with `recursive`, which loops forever below a directory such as /proc.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !pathExists(parent)) await makePrivateFolder(parent);
  try {
    // Use synchronous functions: most commands call this function at startup, and loading node:fs/promises
    // takes 3 ms.
    mkdirSync(folder, { mode: ownersFolder });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    return;
  }
  chmodSync(folder, ownersFolder);
}

/**
 * Creates a file that only the owner can access, regardless of the umask.
 * @throws EEXIST if the name exists, even as a link to a missing file
 */
export async function createPrivateFile(path: string): Promise<FileHandle> {
  // O_EXCL prevents following links.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const file = await open(path, flags, ownersFile);
  return setOwnerMode(file).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
}

/** Thrown for a file that must not be overwritten, because its name may refer to another user's file. */
export class SharedFileError extends Error {
  override readonly name = "SharedFileError";
}

/**
 * @throws SharedFileError for a symbolic link, a device or a file with several hard links, because another
 * user may own the target
 */
export async function openPrivateFile(path: string): Promise<FileHandle> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) throw new SharedFileError(`${path} is a symbolic link`);
  if (!stats.isFile()) throw new SharedFileError(`${path} is not a file`);
  // Another process may have replaced the file since `lstat`, so check the opened file again, and don't
  // follow links.
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw hasCode(cause, "ELOOP") ? new SharedFileError(`${path} is a symbolic link`, { cause }) : cause;
  });
  const opened = await file.stat();
  if (opened.isFile() && opened.nlink === 1) return setOwnerMode(file);
  await file.close();
  throw new SharedFileError(`${path} has more than one hard link`);
}

/**
 * Doesn't follow links.
 * @throws EEXIST if the name exists and `replace` is not set
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { replace }: { replace: boolean },
): Promise<void> {
  if (replace) return replaceByRename(path, createPrivateFile, (file) => file.writeFile(text));
  const file = await createPrivateFile(path);
  try {
    await file.writeFile(text);
    await file.close();
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw addPath(error, path);
  }
}

async function setOwnerMode(file: FileHandle): Promise<FileHandle> {
  try {
    // A strict umask removes even the owner's permissions.
    await file.chmod(ownersFile);
    return file;
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}

function pathExists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
