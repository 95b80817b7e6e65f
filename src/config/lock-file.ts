/** A target's lock on the disk. */
import { createHash } from "node:crypto";
import { describeFsError } from "../base/describe-fs-error.js";
import { readUtf8 } from "../base/utf8.js";
import { ConfigError } from "./errors.js";
import { replaceFile } from "./folder/disk.js";
import { type Lock, lockText, parseLock } from "./lock.js";

export interface LockFile {
  path: string;
  /** As messages name it. */
  shown: string;
  lock: Lock;
  /** The digest of its text; empty where there is none yet. */
  sha256: string;
}

/**
 * Reads a lock; an empty one where there is none.
 * @throws ConfigError where it can't be understood, or is of another project or service (L5)
 */
export async function readLockFile(
  path: string,
  shown: string,
  { project, baseUrl }: { project: string; baseUrl: string | undefined },
): Promise<LockFile> {
  const text = await readUtf8(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ConfigError(
      "config_invalid",
      `${shown} can't be read: ${describeFsError(error)}; nothing was sent`,
    );
  });
  if (text === undefined)
    return { path, shown, lock: { project, base_url: baseUrl ?? "", lines: new Map() }, sha256: "" };
  const lock = parseLock(text, shown);
  if (lock.project !== project)
    throw new ConfigError(
      "config_refused",
      `${shown} is the lock of another project, ${lock.project}; nothing was sent`,
    );
  if (baseUrl !== undefined && lock.base_url !== baseUrl) {
    throw new ConfigError(
      "config_refused",
      `${shown} is for ${lock.base_url}, and the target's profile leads to ${baseUrl}; nothing was sent`,
      "a service that moved: change base_url in the lock's first line",
    );
  }
  // A checkout may have changed its line ends: it is the same lock.
  const sha256 = createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
  return { path, shown, lock, sha256 };
}

/** L3: by rename, so that what a killed process leaves is true. */
export function writeLockFile({ path, lock }: Pick<LockFile, "path" | "lock">): Promise<void> {
  return replaceFile(path, lockText(lock));
}
