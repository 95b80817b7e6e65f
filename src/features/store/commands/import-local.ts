import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { openRuns, optionsWithoutRequests, type StoreSettings } from "../../../cli/bulk/store.js";
import { getRunsFolder } from "../../../cli/bulk/target.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import type { Session } from "../../../cli/session/session.js";
import type { RunInfo } from "../../../write/journal/list.js";
import { requireStore, withStore } from "./connect.js";

interface Upload {
  type: "key map" | "run";
  /** ID of the run, or ID of the key map's group. */
  id: string;
  result: "imported" | "known";
}

const view: View = {
  columns: [
    { header: "TYPE", value: "type", keep: true },
    { header: "ID", value: "id", keep: true },
    { header: "RESULT", value: "result", as: "status", keep: true },
  ],
  fields: ["type", "id", "result"],
  empty: "no key maps or unfinished runs on this machine",
};

export const importLocal: Command = {
  name: "import-local",
  summary: "Upload this machine's key maps and unfinished runs",
  description:
    "Run this command once on each machine that has used voxctl without the store. If the store already contains a key map or run, voxctl doesn't upload it and lists it as known. Uploaded runs are removed from this machine; key maps stay on this machine, for use with VOXCTL_STORE=local.",
  examples: [{ command: "voxctl store import-local" }],
  run: (session) =>
    withRefusals(async () => {
      const settings = await requireStore(session);
      const uploads = [...(await uploadKeyMaps(session, settings)), ...(await uploadRuns(session, settings))];
      await session.output.list(uploads, { ...view, more: () => "none" });
    }),
};

async function uploadKeyMaps(session: Session, settings: StoreSettings): Promise<Upload[]> {
  const { addBlob } = await import("../../../store/index.js");
  const { blobNameOf, encodeKeyMap, openKeyMap } = await import("../../sync/index.js");
  const folder = join(session.folders.data, "sync");
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) =>
    /^[0-9a-f]{24}\.sqlite$/.test(name),
  );
  if (names.length === 0) return [];
  return withStore(settings, async ({ connection, sealer }) => {
    const uploads: Upload[] = [];
    for (const name of names.sort()) {
      const keyMap = await openKeyMap(join(folder, name));
      try {
        const header = keyMap.header();
        if (header === undefined || !isShareable(header.base_url)) continue;
        const { base_url: baseUrl, group_id: groupId } = header;
        const isNew = await addBlob(
          connection,
          sealer,
          blobNameOf({ baseUrl, groupId }),
          encodeKeyMap(keyMap),
        );
        uploads.push({ type: "key map", id: groupId, result: isNew ? "imported" : "known" });
      } finally {
        keyMap.close();
      }
    }
    return uploads;
  });
}

async function uploadRuns(session: Session, settings: StoreSettings): Promise<Upload[]> {
  const { listRuns } = await import("../../../write/index.js");
  const runs = await listRuns(getRunsFolder(session));
  const uploads: Upload[] = [];
  for (const run of runs) {
    const { state, base_url: baseUrl } = run;
    if (state !== "unfinished" || baseUrl === null || !isShareable(baseUrl)) continue;
    // An unfinished undo can be resumed only together with the run that it undoes.
    const undone = runs.find(({ id }) => id === /^(.+?)-undo(?:-\d+)?$/.exec(run.id)?.[1]);
    for (const each of undone === undefined ? [run] : [undone, run])
      uploads.push(await uploadRun(session, settings, each, baseUrl));
  }
  return uploads;
}

async function uploadRun(
  session: Session,
  settings: StoreSettings,
  run: RunInfo,
  baseUrl: string,
): Promise<Upload> {
  const { copyJournal, discardRun } = await import("../../../write/index.js");
  const folder = getRunsFolder(session);
  const opened = await openRuns(settings, folder, {
    ...optionsWithoutRequests,
    ...{ baseUrl, signal: session.signal, command: "store import-local" },
    maxWaitMilliseconds: session.flags.maxWaitMilliseconds,
  });
  const { id, group_id: groupId } = run;
  try {
    await opened.runs.lease(`run/${id}`);
    if (groupId !== null) await opened.runs.locks.hold({ id: groupId });
    if (await opened.runs.isKnown(id)) return { type: "run", id, result: "known" };
    const journal = await copyJournal({ from: folder, to: opened.folder, id });
    try {
      await opened.runs.publish({ id, journal });
      await journal.publish();
    } finally {
      journal.close();
    }
    // Delete the local run. If two machines resumed the same run, they would send its requests twice.
    await discardRun(folder, id, { keepsWrites: false });
    return { type: "run", id, result: "imported" };
  } finally {
    await opened.runs.close();
  }
}

/** An embedded emulator exists only on this machine. */
function isShareable(baseUrl: string): boolean {
  return /^https?:/.test(baseUrl);
}
