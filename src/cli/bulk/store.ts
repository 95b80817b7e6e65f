import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import { makePrivateFolder } from "../../base/private-file.js";
import type { Random } from "../../base/random.js";
import type { StoreConnection } from "../../store/connection.js";
import type { LeaseHolder } from "../../store/leases.js";
import type { OpenStore } from "../../store/open.js";
import type { SharedRunsOptions } from "../../store/shared-runs.js";
import type { SharedBlobs } from "../../write/engine/shared-runs.js";
import { usageError } from "../errors/errors.js";
import { parseDuration } from "../session/globals.js";
import { type ChosenStore, chooseStore, type StoreScope, type StoreSources } from "./store-choice.js";

export interface StoreSettings extends ChosenStore {
  holder: Omit<LeaseHolder, "command">;
  leaseMilliseconds: number;
  random: Random;
  clock: Clock;
  warn(text: string): void;
  dataFolder: string;
}

const defaultLeaseMilliseconds = 60_000;
/** How long a command waits at its start if the store is unavailable. */
const startMilliseconds = 10_000;

const jobVariables = ["CI_JOB_URL", "BUILD_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL"];

/**
 * See `chooseStore`.
 * @throws usage error (2)
 */
export async function readStoreSettings(
  session: StoreSources,
  scope: StoreScope = {},
): Promise<StoreSettings | undefined> {
  const chosen = await chooseStore(session, scope);
  if (chosen === undefined) return undefined;
  const { io, folders, random, clock, notes } = session;
  const lease = io.env["VOXCTL_STORE_LEASE"];
  return {
    ...chosen,
    holder: { ...holderOf(io.env), since: new Date(clock.now()).toISOString() },
    leaseMilliseconds:
      lease === undefined ? defaultLeaseMilliseconds : parseDuration(lease, "VOXCTL_STORE_LEASE"),
    ...{ random, clock, warn: notes.warn, dataFolder: folders.data },
  };
}

/** @throws BulkError `invalid_store` */
async function warnAboutTls({ address, source, warn }: StoreSettings): Promise<void> {
  const { isUnverified, parseStoreAddress } = await import("../../store/index.js");
  const parsed = parseStoreAddress(address, source);
  if (isUnverified(parsed))
    warn(`sslmode=${parsed.tls.mode} does not verify the store's server; use sslmode=verify-full`);
}

export function holderOf(env: Io["env"]): Pick<LeaseHolder, "pid" | "host" | "user" | "job"> {
  const job = jobVariables.map((name) => env[name]).find((value) => value !== undefined) ?? githubJob(env);
  return { pid: process.pid, host: hostname(), user: userName(), ...(job === undefined ? {} : { job }) };
}

function githubJob(env: Io["env"]): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

/** Returns the user's ID if the system knows no user name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/** @throws BulkError `store_…`; usage error (2) if the store key is not set */
export async function openStoreOf(
  settings: StoreSettings,
  { acceptsRestored = false }: { acceptsRestored?: boolean } = {},
): Promise<OpenStore> {
  const { openStore, parseStoreKeys } = await import("../../store/index.js");
  const { address, source, keySource, password, random } = settings;
  const key = await settings.readKey();
  if (key === undefined)
    throw usageError(`${keySource} is not set, but ${source} is`, {
      hint: `set ${keySource} to the key that \`voxctl store init\` printed`,
    });
  await warnAboutTls(settings);
  return openStore({
    ...{ address, source, password },
    keys: parseStoreKeys(key, keySource),
    random,
    seenFile: seenFileOf(settings),
    acceptsRestored,
  });
}

export async function withStoreConnection<T>(
  settings: StoreSettings,
  work: (connection: StoreConnection) => Promise<T>,
): Promise<T> {
  const { connectStore } = await import("../../store/index.js");
  await warnAboutTls(settings);
  const connection = connectStore(settings);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export async function withWorkingFolder<T>(
  settings: StoreSettings,
  work: (store: OpenStore, folder: string) => Promise<T>,
): Promise<T> {
  const { createWorkingFolder } = await import("../../store/index.js");
  await makePrivateFolder(settings.dataFolder);
  const folder = await createWorkingFolder(settings.dataFolder, settings.clock.now());
  try {
    const store = await openStoreOf(settings);
    try {
      return await work(store, folder);
    } finally {
      await store.connection.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function seenFileOf({ address, dataFolder }: Pick<StoreSettings, "address" | "dataFolder">): string {
  const url = new URL(address);
  url.password = "";
  const name = createHash("sha256").update(url.href).digest("hex").slice(0, 24);
  return join(dataFolder, "stores", `${name}.json`);
}

/**
 * Removes the directories of the command's path, even if their names contain spaces: a store doesn't reveal
 * this machine's directories.
 */
function withoutDirectories(command: string): string {
  return command.replace(/(^| )[^ ]*[\\/](?:.*[\\/])?(?=.)/, "$1");
}

type OpenRunsOptions = Pick<
  SharedRunsOptions,
  | "baseUrl"
  | "signal"
  | "outageMilliseconds"
  | "windowMilliseconds"
  | "maxWaitMilliseconds"
  | "onWait"
  | "onOutage"
  | "onLapsed"
  | "onTakeover"
> & { command: string };

export const optionsWithoutRequests = {
  outageMilliseconds: 0,
  windowMilliseconds: () => 0,
  onWait: () => {},
  onOutage: () => {},
  onLapsed: () => {},
  onTakeover: () => {},
};

/** The caller must close the opened runs. */
export async function openRuns(settings: StoreSettings, runsFolder: string, options: OpenRunsOptions) {
  const { createSharedRuns, createWorkingFolder, persist } = await import("../../store/index.js");
  const { clock, random, leaseMilliseconds } = settings;
  const { command, ...how } = options;
  const { signal, onOutage, maxWaitMilliseconds = 0 } = options;
  const outageMilliseconds = Math.max(startMilliseconds, maxWaitMilliseconds);
  const store = await persist({ clock, signal, outageMilliseconds, onOutage }, () => openStoreOf(settings));
  // The results files remain in this directory after voxctl removes the working copies.
  await makePrivateFolder(runsFolder);
  const folder = await createWorkingFolder(dirname(runsFolder), clock.now());
  const runs = createSharedRuns({
    ...{ store, folder, clock, random, leaseMilliseconds },
    ...how,
    holder: { ...settings.holder, command: withoutDirectories(command) },
  });
  return { folder, runs };
}

/** Like `openRuns`, but also fetches the runs without a group. The caller must close the opened runs. */
export async function openSharedRuns(settings: StoreSettings, runsFolder: string, options: OpenRunsOptions) {
  const opened = await openRuns(settings, runsFolder, options);
  try {
    // A repeated command must find its earlier run. Acquiring a group's lease later fetches that group's runs, so
    // fetch only the runs without a group here.
    await opened.runs.fetchRunsWithoutGroup();
    return opened;
  } catch (error) {
    // An open connection would keep the process alive.
    await opened.runs.close();
    throw error;
  }
}

export async function withRunsFolder<T>(
  {
    store,
    folder,
    baseUrl,
    signal,
  }: { store?: StoreSettings | undefined; folder: string; baseUrl: string; signal: AbortSignal },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (store === undefined) return work(folder);
  const how = { baseUrl, signal, command: "", maxWaitMilliseconds: 0 };
  const shared = await openSharedRuns(store, folder, { ...optionsWithoutRequests, ...how });
  try {
    return await work(shared.folder);
  } finally {
    await shared.runs.close();
  }
}

/** Reads key maps for a dry run, even if the store is unavailable. */
export function createBlobReader(settings: StoreSettings, note: (text: string) => void): SharedBlobs {
  return {
    async load(name) {
      const { loadBlob, StoreError } = await import("../../store/index.js");
      try {
        const { connection, sealer } = await openStoreOf(settings);
        try {
          return await loadBlob(connection, sealer, name);
        } finally {
          await connection.close();
        }
      } catch (error) {
        if (!(error instanceof StoreError) || !error.isTransient) throw error;
        note(`${error.message}; continuing without the key map`);
        return undefined;
      }
    },
    async save() {
      throw new Error("a dry run can't save a key map");
    },
  };
}
