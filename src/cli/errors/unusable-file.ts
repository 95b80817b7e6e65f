import { isDiskError } from "../../base/describe-fs-error.js";
import { CliError, exits, usageError } from "./errors.js";

/** An emulator database that can't be used: full and failing disks (9) are no mistake of the command line (2). */
export function unusableFileError(message: string, cause: unknown): CliError {
  return isDiskError(cause)
    ? new CliError({ exit: exits.unavailable, code: "file_error", message, cause })
    : usageError(message, { cause });
}
