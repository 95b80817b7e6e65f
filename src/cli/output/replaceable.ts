/** Files that a command writes over: only what it would have written itself, unless it is told to. */
import { open } from "node:fs/promises";
import type { FileTarget } from "../../base/file-target.js";
import { refusedError } from "../errors/errors.js";

/** What a flag writes, as it is known again. */
export interface Own {
  /** Without dashes. */
  flag: string;
  /** The rest of a sentence about another file: "holds no JUnit results". */
  otherwise: string;
  /** Does a file that begins so hold what the flag writes? */
  isOwn(head: string): boolean;
}

/** Enough for the marks that tell what a flag writes from all else. */
const headBytes = 4_096;

/**
 * @param file as it was typed
 * @param nothing what did not happen: "nothing was called"
 * @throws refused error (12) for a file that holds something else
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
  // An empty file, such as mktemp makes, holds nothing that could be lost.
  if (head !== "" && (head === undefined || !isOwn(head)))
    throw refusedError(
      "file_exists",
      `--${flag}: ${file} is there and ${otherwise}; ${nothing}`,
      "--force replaces it",
    );
}

/**
 * Refuses to create the target of a link: another user may have made the link.
 * @param file as it was typed
 * @throws refused error (12)
 */
export function assertNoDanglingLink({ isDangling }: FileTarget, file: string): void {
  if (isDangling)
    throw refusedError(
      "file_exists",
      `${file} is a link to a file that doesn't exist; nothing was written there`,
      "--force replaces the link",
    );
}

/** The beginning of a file; undefined where it can't be read. */
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
