/**
 * Copies a store's runs, fleet runs and key maps to local files, so that commands can read them like local
 * data.
 */
import { rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder } from "../../base/private-file.js";
import type { OpenStore } from "../../store/open.js";
import { CliError } from "../errors/errors.js";
import type { Session } from "../session/session.js";
import {
  openRuns,
  openStoreOf,
  optionsWithoutRequests,
  readStoreSettings,
  type StoreSettings,
} from "./store.js";
import { getRunsFolder } from "./target.js";

export type StoredCopy =
  | { type: "run" | "fleet"; id: string }
  | { type: "key map"; group: string; baseUrl: string; name: string; generation: number };

export interface StoreCopies {
  copies: ReadonlyMap<string, StoredCopy>;
  problem: { path: string; reason: string } | undefined;
  replace(path: string): Promise<void>;
}

const noCopies: StoreCopies = { copies: new Map(), problem: undefined, replace: async () => {} };

/** @param command name of this command, shown on machines that wait for this command */
export async function withStoreCopies<T>(
  session: Session,
  command: string,
  work: (copies: StoreCopies) => Promise<T>,
): Promise<T> {
  const settings = await readStoreSettings(session);
  if (settings === undefined) return work(noCopies);
  const { createWorkingFolder } = await import("../../store/index.js");
  const folder = await createWorkingFolder(settings.dataFolder, settings.clock.now());
  try {
    const read = await copyStore(settings, folder, [copyRuns, copyKeyMaps, copyFleets]);
    if ("reason" in read)
      return await work({ ...noCopies, problem: { path: settings.source, reason: read.reason } });
    return await work({
      ...{ copies: read, problem: undefined },
      async replace(path) {
        const copy = read.get(path);
        if (copy?.type === "run") await replaceRun(settings, { id: copy.id, path, command });
        else if (copy?.type === "key map") await replaceKeyMap(session, settings, { ...copy, path, command });
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function copyStore(
  settings: StoreSettings,
  folder: string,
  copiers = [copyRuns, copyKeyMaps],
): Promise<ReadonlyMap<string, StoredCopy> | { reason: string }> {
  const store = await tryToOpen(settings);
  if ("reason" in store) return store;
  try {
    const copies = new Map<string, StoredCopy>();
    for (const copy of copiers)
      for (const [path, copied] of await copy(store, folder)) copies.set(path, copied);
    return copies;
  } finally {
    await store.connection.close();
  }
}

async function tryToOpen(settings: StoreSettings): Promise<OpenStore | { reason: string }> {
  const { StoreError } = await import("../../store/index.js");
  try {
    return await openStoreOf(settings);
  } catch (error) {
    if (error instanceof StoreError || error instanceof CliError) return { reason: error.message };
    throw error;
  }
}

async function copyRuns(store: OpenStore, folder: string): Promise<[string, StoredCopy][]> {
  const { exportIdleRuns } = await import("../../store/index.js");
  const runsFolder = await makeFolder(folder, "runs");
  const ids = await exportIdleRuns(store, runsFolder);
  return ids.map((id) => [join(runsFolder, `${id}.sqlite`), { type: "run", id }]);
}

async function copyKeyMaps(
  { connection, sealer }: OpenStore,
  folder: string,
): Promise<[string, StoredCopy][]> {
  const { listBlobNames, loadBlob } = await import("../../store/index.js");
  const { keyMapBlobs, writeKeyMap } = await import("../../features/sync/index.js");
  const mapsFolder = await makeFolder(folder, "sync");
  const copies: [string, StoredCopy][] = [];
  for (const name of await listBlobNames(connection, keyMapBlobs)) {
    const blob = await loadBlob(connection, sealer, name);
    if (blob === undefined) continue;
    const path = join(mapsFolder, `${basename(name)}.sqlite`);
    const header = await writeKeyMap(path, blob.content);
    if (header === undefined) continue;
    const { group_id: group, base_url: baseUrl } = header;
    copies.push([path, { type: "key map", ...{ group, baseUrl, name, generation: blob.generation } }]);
  }
  return copies;
}

async function copyFleets(store: OpenStore, folder: string): Promise<[string, StoredCopy][]> {
  const { createFleetTables, listBlobNames, listSharedFleets, loadBlob } = await import(
    "../../store/index.js"
  );
  const { connection, sealer } = store;
  const tables = createFleetTables(store);
  const fleetsFolder = await makeFolder(folder, "fleets");
  const copies: [string, StoredCopy][] = [];
  const add = async (id: string, name: string, content: string | Buffer) => {
    const path = join(fleetsFolder, name);
    await writeFile(path, content, { mode: 0o600 });
    copies.push([path, { type: "fleet", id }]);
  };
  for (const { id } of await listSharedFleets(connection)) {
    const members = await tables.readMemberContents(id);
    const { results } = await tables.listMembers(id);
    const parts = [await tables.readContent(id), ...members.values(), ...results.values()];
    await add(id, `${id}.json`, parts.map((part) => JSON.stringify(part)).join("\n"));
    for (const name of await listBlobNames(connection, `fleet/${id}/`)) {
      const file = await loadBlob(connection, sealer, name);
      if (file !== undefined) await add(id, `${id}-${basename(name)}`, file.content);
    }
  }
  return copies;
}

async function makeFolder(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await makePrivateFolder(path);
  return path;
}

async function replaceRun(
  settings: StoreSettings,
  { id, path, command }: { id: string; path: string; command: string },
): Promise<void> {
  const { replaceEntries } = await import("../../store/index.js");
  const { clock, random, leaseMilliseconds } = settings;
  const holder = { ...settings.holder, command };
  const store = await openStoreOf(settings);
  try {
    await replaceEntries(store, { id, path }, { clock, random, holder, leaseMilliseconds });
  } finally {
    await store.connection.close();
  }
}

/**
 * @throws BulkError `group_busy` if another process uses the group, `store_changed` if the store has a newer
 * key map
 */
async function replaceKeyMap(
  session: Session,
  settings: StoreSettings,
  {
    group,
    baseUrl,
    name,
    generation,
    path,
    command,
  }: Extract<StoredCopy, { type: "key map" }> & { path: string; command: string },
): Promise<void> {
  const { encodeKeyMap, openKeyMap } = await import("../../features/sync/index.js");
  const { signal } = session;
  const { runs } = await openRuns(settings, getRunsFolder(session), {
    ...optionsWithoutRequests,
    ...{ baseUrl, signal, command, maxWaitMilliseconds: 0 },
  });
  try {
    await runs.locks.hold({ id: group });
    const table = await openKeyMap(path);
    try {
      await runs.blobs.save(name, generation, encodeKeyMap(table));
    } finally {
      table.close();
    }
  } finally {
    await runs.close();
  }
}
