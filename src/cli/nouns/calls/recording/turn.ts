/** A lock that lets only one process at a time write a partial file. */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { LockedError, lockFile } from "../../../../base/file-lock.js";
import { makePrivateFolder } from "../../../../base/private-file.js";
import type { Session } from "../../../session/session.js";

const pollMilliseconds = 200;
/** Three digits limit the number of lock files, which are never deleted. */
const lockDigits = 3;

/** All processes with the same data directory share the lock. */
export type Turn = (path: string) => Promise<{ release(): void }>;

export function createTurn({ folders, clock, signal, notes }: Session): Turn {
  return async (path) => {
    const hash = createHash("sha256").update(path).digest("hex");
    const folder = join(folders.data, "locks");
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      try {
        await makePrivateFolder(folder);
        return await lockFile(join(folder, `recording-${hash.slice(0, lockDigits)}`), "exclusive", 0);
      } catch (error) {
        // Without a data directory, download without a lock. If two downloads conflict, one of them fails
        // (`toTakenError`).
        if (!(error instanceof LockedError)) return { release() {} };
      }
      if (isFirst) notes.note(`Waiting for another voxctl process that is downloading ${basename(path)}…`);
      await clock.sleep(pollMilliseconds, signal);
    }
  };
}
