import { isDiskError } from "../../base/describe-fs-error.js";
import { CliError, exits, usageError } from "./errors.js";

export function isUnusableFile(error: unknown): error is Error {
  // Check the class name, because the class is loaded only when an emulator is used.
  return error instanceof Error && error.name === "UnusableFileError";
}

/** Returns the error for an unusable file. If the disk is full or fails, the exit code is 9 instead of 2. */
export function unusableFileError(message: string, cause: unknown): CliError {
  return isDiskError(cause)
    ? new CliError({ exit: exits.unavailable, code: "file_error", message, cause })
    : usageError(message, { cause });
}
