import { rm } from "node:fs/promises";
import { openStoreOf, readStoreSettings, type StoreSettings } from "../../../cli/bulk/store.js";
import { CliError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import type { OpenStore } from "../../../store/open.js";

/** Copies of a store's runs. A search for a caller reads them like local runs. */
export interface StoreCopies {
  folder: string | undefined;
  /** Why the store was not searched. */
  problem: { path: string; reason: string } | undefined;
  /** Replaces a finished run in the store with the copy at a path. */
  replace(run: string, path: string): Promise<void>;
}

/** Runs `work` with copies of the runs in the selected store, then removes the copies. */
export async function withStoreCopies<T>(
  session: Session,
  work: (copies: StoreCopies) => Promise<T>,
): Promise<T> {
  const noCopies = { folder: undefined, problem: undefined, replace: async () => {} };
  const settings = await readStoreSettings(session);
  if (settings === undefined) return work(noCopies);
  const store = await tryToOpen(settings);
  if ("reason" in store)
    return work({ ...noCopies, problem: { path: settings.source, reason: store.reason } });
  const { createWorkingFolder, exportRuns, replaceEntries } = await import("../../../store/index.js");
  const { clock, random, dataFolder, leaseMilliseconds } = settings;
  const holder = { ...settings.holder, command: "subject erase" };
  const folder = await createWorkingFolder(dataFolder, clock.now());
  try {
    await exportRuns(store, undefined, folder);
    return await work({
      ...{ folder, problem: undefined },
      replace: (run, path) =>
        replaceEntries(store, { id: run, path }, { clock, random, holder, leaseMilliseconds }),
    });
  } finally {
    await store.connection.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryToOpen(settings: StoreSettings): Promise<OpenStore | { reason: string }> {
  const { StoreError } = await import("../../../store/index.js");
  try {
    return await openStoreOf(settings);
  } catch (error) {
    if (error instanceof StoreError || error instanceof CliError) return { reason: error.message };
    throw error;
  }
}
