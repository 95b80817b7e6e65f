/** Logs of the members' commands: a directory for each fleet run, with a file for each member. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { makePrivateFolder } from "../../../base/private-file.js";
import { removeUnusedFolders } from "../../../base/unused-folders.js";
import type { Session } from "../../../cli/session/session.js";

export function getLogFolder(session: Pick<Session, "folders">, runId: string): string {
  return join(getAllLogs(session), runId);
}

function getAllLogs({ folders }: Pick<Session, "folders">): string {
  return join(folders.data, "fleet");
}

export async function removeOldLogs(session: Session): Promise<void> {
  const { keepFinishedMilliseconds } = await import("../../../write/journal/folder.js");
  const how = { now: session.clock.now(), keepMilliseconds: keepFinishedMilliseconds };
  await removeUnusedFolders(getAllLogs(session), how);
}

export async function openLog(session: Session, folder: string, name: string) {
  await makePrivateFolder(folder);
  const path = join(folder, `${name}.log`);
  const file = createWriteStream(path, { flags: "a", mode: 0o600 });
  // Without a listener, a full disk would end voxctl and lose the result of each running member.
  file.on("error", () => {});
  let partial = "";
  return {
    /** Writes only complete lines, because a secret can't be masked if its parts are written separately. */
    write(text: string) {
      const lines = `${partial}${text}`.split("\n");
      partial = lines.pop() ?? "";
      for (const line of lines) file.write(`${session.secrets.mask(line)}\n`);
    },
    async close() {
      file.end(partial === "" ? "" : `${session.secrets.mask(partial)}\n`);
      await finished(file).catch((error: unknown) =>
        session.notes.warn(`${path} is incomplete: ${describeFsError(error)}`),
      );
    },
  };
}
