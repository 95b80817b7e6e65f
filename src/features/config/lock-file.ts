import { createHash } from "node:crypto";
import { describeFsError } from "../../base/describe-fs-error.js";
import { hasCode } from "../../base/error-code.js";
import { readUtf8 } from "../../base/utf8.js";
import { ConfigError } from "./errors.js";
import { replaceFile } from "./folder/disk.js";
import { type Lock, lockText, parseLock } from "./lock.js";

export interface LockFile {
  path: string;
  shown: string;
  lock: Lock;
  /** Digest of the file's text; empty if the file doesn't exist yet. */
  sha256: string;
}

/**
 * Returns an empty lock if the file doesn't exist.
 * @throws ConfigError if the file is invalid or belongs to another project or service
 */
export async function readLockFile(
  path: string,
  shown: string,
  { project, baseUrl }: { project: string; baseUrl: string | undefined },
): Promise<LockFile> {
  const text = await readUtf8(path).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new ConfigError("config_invalid", `${shown} can't be read: ${describeFsError(error)}`);
  });
  if (text === undefined)
    return {
      path,
      shown,
      lock: { project, base_url: baseUrl ?? "", anchors: [], lines: new Map() },
      sha256: "",
    };
  const lock = parseLock(text, shown);
  if (lock.project !== project)
    throw new ConfigError("config_refused", `${shown} belongs to another project: ${lock.project}`);
  if (baseUrl !== undefined && lock.base_url !== baseUrl) {
    throw new ConfigError(
      "config_refused",
      `${shown} is for ${lock.base_url}, but the target's profile uses ${baseUrl}`,
      "if the service's URL has changed, update base_url in the first line of the lock file",
    );
  }
  return { path, shown, lock, sha256: hashOf(text) };
}

export function hashLock(lock: Lock): string {
  return hashOf(lockText(lock));
}

/** Ignores line endings, because git may change them at checkout. */
function hashOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** Renames a complete new file, so that the lock file stays valid if the process is killed. */
export function writeLockFile({ path, lock }: Pick<LockFile, "path" | "lock">): Promise<void> {
  return replaceFile(path, lockText(lock));
}
