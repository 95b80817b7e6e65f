import { fchmodSync, openSync, statSync } from "node:fs";
import { type FileTarget, isSameFile, type Waiting, writeTarget } from "../../base/file-target.js";
import { unwritableFile } from "../../base/input-file.js";
import { replaceByRenameSync } from "../../base/temporary-file.js";
import { usageError } from "../errors/errors.js";

export interface ResultFile {
  /** @throws UnwritableFileError; the signal's reason */
  write(text: string): Promise<void>;
  /**
   * Writes preliminary content. Doesn't write to a FIFO or device, because its reader expects only one
   * document.
   */
  writeUnfinished(text: string): Promise<void>;
}

/**
 * Opens the file before the run, so that an unwritable file is reported before any request.
 * @param label flag and file name for messages
 * @param unfinished content until the results are written; it replaces the results of an earlier run
 * @throws usage error (2)
 */
export async function openResultFile(
  target: FileTarget,
  label: string,
  unfinished: string,
  waiting: Waiting,
): Promise<ResultFile> {
  if (target.type === "other") throw usageError(`${label} is neither a file nor a pipe`);
  const write = (text: string) => writeResultFile(target, label, text, waiting);
  const writeUnfinished = isStream(target) ? async () => {} : write;
  await writeUnfinished(unfinished);
  return { write, writeUnfinished };
}

/**
 * Writes a results file and keeps the mode of an existing file. Writes synchronously, because a second signal
 * ends the process immediately and must not leave a temporary file.
 */
export async function writeResultFile(
  target: FileTarget,
  label: string,
  text: string,
  waiting: Waiting,
): Promise<void> {
  if (isStream(target)) return writeNamedFile(target, label, text, waiting);
  try {
    replaceByRenameSync(target.path, createLike(target.path), text);
  } catch (error) {
    throw unwritableFile(label, error);
  }
}

function isStream({ type }: FileTarget): boolean {
  return type === "fifo" || type === "device";
}

/**
 * @param label flag and file name for messages
 * @throws UnwritableFileError; the signal's reason
 */
export async function writeNamedFile(
  target: FileTarget,
  label: string,
  text: string,
  waiting: Waiting,
): Promise<void> {
  try {
    await writeTarget(target, [text], waiting);
  } catch (error) {
    throw waiting.signal.aborted && error === waiting.signal.reason ? error : unwritableFile(label, error);
  }
}

/**
 * Refuses an output file that is stdout, because the command prints its results there.
 * @param file path as typed
 * @throws usage error (2) if stdout is the same file
 */
export function assertNotStdout(flag: string, file: string, path: string): void {
  if (file === "-" || isSameFile(path, "/dev/stdout"))
    throw usageError(`invalid --${flag} "${file}": expected a file, because stdout contains the results`, {
      hint: "use a file or a named pipe, or print the results as JSON: -o json",
    });
}

/** Keeps the mode of an existing file, so that the same users can read the new file. */
function createLike(path: string) {
  return (temporaryPath: string) => {
    const existing = statSync(path, { throwIfNoEntry: false });
    const file = openSync(temporaryPath, "wx");
    if (existing !== undefined) fchmodSync(file, existing.mode & 0o777);
    return file;
  };
}
