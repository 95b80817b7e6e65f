import { statSync } from "node:fs";
import { UnusableFileError } from "./schema.js";

/**
 * Refuses a file with several hard links, because each of its names would get a separate key and lock.
 * @throws UnusableFileError
 */
export function assertSinglePath(path: string): void {
  const names = statSync(path, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names > 1)
    throw new UnusableFileError(
      `${path} can't be used: it has ${names} hard links, and each would get its own key; copy the file instead`,
    );
}

/**
 * Returns a check for an open file. The check throws UnusableFileError if the file was removed or replaced,
 * because later writes would be lost.
 */
export function createSameFileCheck(path: string): () => void {
  const opened = statSync(path, { throwIfNoEntry: false });
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now && now.ino === opened?.ino && now.dev === opened.dev) return;
    throw new UnusableFileError(
      `${path} was ${now ? "replaced" : "removed"} while it was in use; restore it, or stop the programs that use it`,
    );
  };
}
