import type { StoreConnection } from "../../store/connection.js";
import type { RunInfo } from "../../write/journal/list.js";
import type { Session } from "../session/session.js";
import { readStoreSettings, type StoreSettings } from "./store.js";
import { getRunsFolder } from "./target.js";

/** The runs that commands list and find: those of this machine, or of all machines that share the store. */
export interface KnownRuns {
  list(): Promise<RunInfo[]>;
  find(id: string): Promise<RunInfo | undefined>;
  /** Removes a run that no process uses. */
  discard(id: string): Promise<void>;
}

export async function findKnownRuns(session: Session): Promise<KnownRuns> {
  const settings = readStoreSettings(session);
  return settings === undefined ? localRuns(getRunsFolder(session)) : storedRuns(settings);
}

async function localRuns(folder: string): Promise<KnownRuns> {
  const { discardRun, listRuns, runInfo } = await import("../../write/index.js");
  const list = () => listRuns(folder);
  return {
    list,
    async find(id) {
      const isKnown = (await list()).some((run) => run.id === id);
      return isKnown ? runInfo(folder, id) : undefined;
    },
    discard: (id) => discardRun(folder, id),
  };
}

/** With a store, the runs of a chosen store only: those of this machine are listed with VOXCTL_STORE=local. */
async function storedRuns(settings: StoreSettings): Promise<KnownRuns> {
  const { connectStore, discardSharedRun, findSharedRun, listSharedRuns } = await import(
    "../../store/index.js"
  );
  const withConnection = async <T>(work: (connection: StoreConnection) => Promise<T>): Promise<T> => {
    const connection = connectStore(settings);
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  return {
    list: () => withConnection(listSharedRuns),
    find: (id) => withConnection((connection) => findSharedRun(connection, id)),
    discard: (id) => withConnection((connection) => discardSharedRun(connection, id)),
  };
}
