/** Where an export goes. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { type FileTarget, fileTarget } from "../../../base/file-target.js";
import { escapeLines } from "../../../base/text.js";
import { refusedError, usageError } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";

/** A terminal must not obey what is for a file or a program. */
export async function printText(text: AsyncIterable<string>, { io, output }: Session): Promise<void> {
  for await (const piece of text) await output.text(io.stdout.isTTY === true ? escapeLines(piece) : piece);
}

/** A file, and no pipe or device that may have been standard output itself. */
export function isWhole(target: FileTarget): boolean {
  return target.kind === "absent" || target.kind === "file";
}

/** Where it is to be written. @throws usage error (2), refused error (12) */
export async function placeFor(path: string, force: boolean): Promise<FileTarget> {
  const impossible = (cause: unknown) => {
    throw usageError(`${path} can't be written: ${describeFsError(cause, "write")}`, { cause });
  };
  const target = await fileTarget(path).catch(impossible);
  if (target.kind === "folder") throw usageError(`${path} can't be written: it is a folder`);
  if (target.kind === "other") throw usageError(`${path} can't be written: it is neither a file nor a pipe`);
  if (!force && target.kind === "file") throw refusedError(`${path} exists already`, "--force overwrites it");
  // The draft is made beside it.
  if (isWhole(target)) await access(dirname(target.path), constants.W_OK).catch(impossible);
  return target;
}
