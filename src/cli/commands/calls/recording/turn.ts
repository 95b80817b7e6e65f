/** One process at a time fills a file: two that write one draft would take it from each other. */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { LockedError, lockFile } from "../../../../base/file-lock.js";
import { makePrivateFolder } from "../../../../base/private-file.js";
import type { Session } from "../../../session/session.js";

const pollMilliseconds = 200;
/** Digits of a hash: locks stay where they were made, 4096 of them at most; two files of one lock wait for each other. */
const lockDigits = 3;

/** Waits for the lock of a file among the processes that share the data directory. */
export type Turn = (path: string) => Promise<{ release(): void }>;

/** Waits for the process that writes the file, with a note. */
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
        // A download works without a data directory: a lost partial file is also detected without the lock.
        if (!(error instanceof LockedError)) return { release() {} };
      }
      if (isFirst) notes.note(`${basename(path)}: another voxctl downloads it; waiting for that`);
      await clock.sleep(pollMilliseconds, signal);
    }
  };
}
