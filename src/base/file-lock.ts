import { chmodSync } from "node:fs";
import { openDatabase } from "./database.js";

/**
 * A lock on a file. The lock is a transaction in an SQLite file next to that file, so it ends when the
 * process ends. Several processes can hold a shared lock; an exclusive lock excludes all others.
 */
export interface FileLock {
  release(): void;
}

export class LockedError extends Error {
  override readonly name = "LockedError";
}

/**
 * @param waitMilliseconds longest wait for other processes to release the lock
 * @throws LockedError if the file is still locked after that time
 */
export async function lockFile(
  path: string,
  mode: "shared" | "exclusive",
  waitMilliseconds: number,
): Promise<FileLock> {
  // Waiting for the lock blocks this process. Let pending code run first, because it may release a lock of
  // this process.
  if (waitMilliseconds > 0) await new Promise((resolve) => setImmediate(resolve));
  const database = await openDatabase(`${path}.lock`, { busyMilliseconds: waitMilliseconds });
  chmodSync(`${path}.lock`, 0o600);
  try {
    if (mode === "exclusive") {
      database.exec("BEGIN EXCLUSIVE");
    } else {
      database.exec("BEGIN");
      // The first read acquires the shared lock.
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    }
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) {
      throw new LockedError(`${path} is locked by another process`, { cause: error });
    }
    throw error;
  }
  return {
    release() {
      // Without ROLLBACK, the driver keeps the lock until the connection's statements are garbage-collected.
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
