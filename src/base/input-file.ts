import { describeFsError, isDiskError } from "./describe-fs-error.js";
import { InputError } from "./input-error.js";
import { readUtf8 } from "./utf8.js";

/**
 * @param label flag and file name for messages: `--rules: rules.yaml`
 * @throws InputError if the file can't be read or is not UTF-8
 */
export async function readInputText(path: string, label: string): Promise<string> {
  return readUtf8(path).catch((cause: unknown) => {
    throw unreadableFile(label, cause);
  });
}

export function unreadableFile(label: string, cause: unknown): InputError {
  return new InputError(`${label} can't be read: ${describeFsError(cause)}`, { cause });
}

/**
 * Thrown for an output file that can't be written. The command may have made its changes before this error.
 */
export class UnwritableFileError extends InputError {}

export function unwritableFile(label: string, cause: unknown): UnwritableFileError {
  const hint = isDiskError(cause) ? "free disk space, or use another file" : "use another file";
  return new UnwritableFileError(`${label} can't be written: ${describeFsError(cause, "write")}`, {
    hint,
    cause,
  });
}
