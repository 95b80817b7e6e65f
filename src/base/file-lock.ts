import { chmodSync } from "node:fs";
import { openDatabase } from "./database.js";

/**
 * A lock beside the file that dies with its process: a transaction on an SQLite file of its own, since the system
 * drops a dead process's file locks. Commands share it, a server owns it.
 */
export interface FileLock {
  release(): void;
}

export class LockedError extends Error {
  override readonly name = "LockedError";
}

/**
 * @param mode `shared`: beside other commands; `exclusive`: alone
 * @param waitMilliseconds how long to wait for those who hold it
 * @throws LockedError when it stays held
 */
export async function lockFile(
  path: string,
  mode: "shared" | "exclusive",
  waitMilliseconds: number,
): Promise<FileLock> {
  // The wait stops this process: who is just closing the file in it is let end first.
  if (waitMilliseconds > 0) await new Promise((resolve) => setImmediate(resolve));
  const database = await openDatabase(`${path}.lock`, { busyMilliseconds: waitMilliseconds });
  chmodSync(`${path}.lock`, 0o600);
  try {
    if (mode === "exclusive") {
      database.exec("BEGIN EXCLUSIVE");
    } else {
      database.exec("BEGIN");
      // Only a read takes the shared lock.
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    }
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) {
      throw new LockedError(`${path} is held by another process`, { cause: error });
    }
    throw error;
  }
  return {
    release() {
      // The driver keeps a closed connection, its lock with it, until its statements are collected.
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
