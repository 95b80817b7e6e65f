import { chmodSync } from "node:fs";
import { openDatabase } from "./database.js";

/**
 * A lock next to a file that its process's end releases: a transaction in a separate SQLite file, because the system
 * drops a dead process's file locks. Commands share it, a server owns it.
 */
export interface FileLock {
  release(): void;
}

export class LockedError extends Error {
  override readonly name = "LockedError";
}

/**
 * @param mode `shared`: together with other commands; `exclusive`: alone
 * @param waitMilliseconds how long to wait for the current owners
 * @throws LockedError if it stays locked
 */
export async function lockFile(
  path: string,
  mode: "shared" | "exclusive",
  waitMilliseconds: number,
): Promise<FileLock> {
  // The wait blocks this process: a pending close in it runs first.
  if (waitMilliseconds > 0) await new Promise((resolve) => setImmediate(resolve));
  const database = await openDatabase(`${path}.lock`, { busyMilliseconds: waitMilliseconds });
  chmodSync(`${path}.lock`, 0o600);
  try {
    if (mode === "exclusive") {
      database.exec("BEGIN EXCLUSIVE");
    } else {
      database.exec("BEGIN");
      // The shared lock is taken by the first read.
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
      // The driver keeps a closed connection, with its lock, until its statements are collected.
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
