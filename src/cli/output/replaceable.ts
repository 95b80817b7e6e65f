/** Commands overwrite their own output files. To overwrite another file, the user must set a flag. */
import { open } from "node:fs/promises";
import type { FileTarget } from "../../base/file-target.js";
import { refusedError } from "../errors/errors.js";

export interface Own {
  flag: string;
  /** End of a message about a file with other content, such as "contains no JUnit results". */
  otherwise: string;
  isOwn(head: string): boolean;
}

const headBytes = 4_096;

/**
 * Refuses to overwrite a file that the command did not write.
 * @param file path as typed
 * @param nothing text at the end of the error message, such as "no calls were placed"
 * @throws refused error (12) for a file with other content
 */
export async function assertReplaceable(
  target: FileTarget,
  { flag, otherwise, isOwn }: Own,
  file: string,
  nothing: string,
): Promise<void> {
  const { path, type } = target;
  assertNoDanglingLink(target, file);
  if (type !== "file") return;
  const head = await readHead(path);
  // An empty file, such as one from mktemp, can be overwritten.
  if (head !== "" && (head === undefined || !isOwn(head)))
    throw refusedError(
      "file_exists",
      `--${flag}: ${file} already exists and ${otherwise}; ${nothing}`,
      "to replace the file, use --force",
    );
}

/**
 * Refuses a dangling symbolic link: another user might have created it to choose where the command writes.
 * @param file path as typed
 * @throws refused error (12)
 */
export function assertNoDanglingLink({ isDangling }: FileTarget, file: string): void {
  if (isDangling)
    throw refusedError(
      "file_exists",
      `${file} is a symbolic link to a file that doesn't exist; nothing was written there`,
      "to replace the link, use --force",
    );
}

async function readHead(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
