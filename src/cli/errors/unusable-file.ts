import { isDiskError } from "../../base/describe-fs-error.js";
import { CliError, exits, usageError } from "./errors.js";

/**
 * Returns the error for an unusable emulator database. If the disk is full or fails, the exit code is 9 instead of 2.
 */
export function unusableFileError(message: string, cause: unknown): CliError {
  return isDiskError(cause)
    ? new CliError({ exit: exits.unavailable, code: "file_error", message, cause })
    : usageError(message, { cause });
}
