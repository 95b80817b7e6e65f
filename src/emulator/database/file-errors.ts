import { createContentError, UnusableFileError } from "./schema.js";

const damaged = "is damaged";

/** Patterns for the driver's error messages, because the driver provides no error codes. */
const knownMessages: readonly (readonly [RegExp, string])[] = [
  [/unable to open database file|not authorized/, "it can't be opened or created"],
  [/readonly database/, "it can't be written"],
  [/disk is full/, "the disk is full"],
  [/disk I\/O error/, "the disk can't be read or written"],
  [/malformed|not a database/, damaged],
];

/** Returns the reason why SQLite can't use a file; undefined if the error has another cause. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return knownMessages.find(([pattern]) => pattern.test(error.message))?.[1];
}

export function isDamage(error: unknown): boolean {
  return describeFileError(error) === damaged;
}

/** Returns any other error unchanged. */
export function toFileError(path: string, error: unknown): Error {
  const reason = error instanceof UnusableFileError ? undefined : describeFileError(error);
  if (reason === damaged) return createDamagedError(path, error);
  if (reason !== undefined)
    return new UnusableFileError(`${path} can't be used: ${reason}`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

export function createDamagedError(path: string, cause?: unknown): UnusableFileError {
  return createContentError(path, damaged, { cause });
}
