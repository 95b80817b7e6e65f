import type { StoreConnection } from "../../store/connection.js";
import type { RunInfo } from "../../write/journal/list.js";
import { CliError, exits } from "../errors/errors.js";
import type { Session } from "../session/session.js";
import { readStoreSettings, type StoreSettings, withStoreConnection, withWorkingFolder } from "./store.js";
import { getRunsFolder } from "./target.js";

/** The runs on this machine or, with a store, on all machines that share the store. */
export interface KnownRuns {
  list(): Promise<RunInfo[]>;
  find(id: string): Promise<RunInfo | undefined>;
  /** @throws BulkError if a process uses the run */
  discard(id: string): Promise<void>;
}

export async function findKnownRuns(session: Session): Promise<KnownRuns> {
  const settings = await readStoreSettings(session);
  return settings === undefined
    ? localRuns(getRunsFolder(session))
    : storedRuns(settings, getRunsFolder(session));
}

export async function hasLocalRun(session: Session, id: string): Promise<boolean> {
  const { listRunIds } = await import("../../write/journal/read.js");
  return (await listRunIds(getRunsFolder(session))).includes(id);
}

/** With a store, a run that exists only on this machine also counts as not found. */
export async function createRunNotFoundError(session: Session, id: string): Promise<CliError> {
  const isOnlyLocal = (await readStoreSettings(session)) !== undefined && (await hasLocalRun(session, id));
  return new CliError({
    exit: exits.notFound,
    code: "run_not_found",
    message: `run ${id} not found`,
    hint: isOnlyLocal
      ? "the run is on this machine, not in the store: to use it, set VOXCTL_STORE=local"
      : "list runs: `voxctl runs list`",
  });
}

async function localRuns(folder: string): Promise<KnownRuns> {
  const { discardRun, findRun, listRuns } = await import("../../write/index.js");
  return {
    list: () => listRuns(folder),
    find: (id) => findRun(folder, id),
    discard: (id) => discardRun(folder, id),
  };
}

/** Adds this machine's fleet runs, because a fleet run that uses local files is not in the store. */
async function storedRuns(settings: StoreSettings, folder: string): Promise<KnownRuns> {
  const { discardSharedFleet, discardSharedRun, findSharedRun, listSharedFleets, listSharedRuns } =
    await import("../../store/index.js");
  const local = await localRuns(folder);
  const withConnection = <T>(work: (connection: StoreConnection) => Promise<T>) =>
    withStoreConnection(settings, work);
  const listShared = async (connection: StoreConnection) => [
    ...(await listSharedRuns(connection)),
    ...(await listSharedFleets(connection)),
  ];
  // Don't print the store's warnings here: the command opens the store again and prints them.
  const quiet = { ...settings, warn: () => {} };
  const listLocal = async () => (await local.list()).filter(({ kind }) => kind?.startsWith("fleet"));
  const findLocal = async (id: string) => {
    const run = await local.find(id);
    return run?.kind?.startsWith("fleet") ? run : undefined;
  };
  return {
    list: async () =>
      [...(await withConnection(listShared)), ...(await listLocal())].sort((left, right) =>
        (right.started_at ?? "9").localeCompare(left.started_at ?? "9"),
      ),
    find: async (id) =>
      (await withStoreConnection(
        quiet,
        async (connection) =>
          (await findSharedRun(connection, id)) ??
          (await listSharedFleets(connection)).find((fleet) => fleet.id === id),
      )) ?? (await findLocal(id)),
    async discard(id) {
      if ((await findLocal(id)) !== undefined) return local.discard(id);
      if (await withConnection((connection) => discardSharedFleet(connection, id))) return;
      await withWorkingFolder(quiet, (store, workingFolder) => discardSharedRun(store, id, workingFolder));
    },
  };
}
