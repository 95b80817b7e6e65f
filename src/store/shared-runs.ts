import { rm } from "node:fs/promises";
import type { Clock } from "../base/clock.js";
import { makePrivateFolder } from "../base/private-file.js";
import type { Random } from "../base/random.js";
import { type GroupLocks, type LockedGroup, lockName, waitForOwner } from "../write/engine/group-locks.js";
import type { SharedRuns } from "../write/engine/shared-runs.js";
import { BulkError } from "../write/errors.js";
import { pathOf } from "../write/journal/folder.js";
import { createSharedBlobs } from "./blobs.js";
import type { StoreError } from "./errors.js";
import {
  createLeases,
  type ForeignLease,
  formatPlace,
  formatTime,
  type LeaseHolder,
  type Leases,
  toShownHolder,
} from "./leases.js";
import { findSharedRun } from "./list.js";
import { claimRun, hasRun, persist, type RunLogParts, readEntries } from "./log.js";
import type { OpenStore } from "./open.js";
import { removeFinishedRuns } from "./remove-runs.js";
import { createPublisher, describeRun } from "./run-publisher.js";
import { randomUuid } from "./schema.js";
import { readEarlierRuns, takeOverRequests } from "./takeover.js";
import { findTarget, saveTarget } from "./targets.js";
import { rebuildJournal } from "./working-copy.js";

export interface SharedRunsOptions {
  store: OpenStore;
  /** Directory for the working copies of this process. */
  folder: string;
  baseUrl: string;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  holder: LeaseHolder;
  leaseMilliseconds: number;
  outageMilliseconds: number;
  /** Returns the time, in milliseconds, after which a sent request can no longer take effect. */
  windowMilliseconds(): number;
  /** Longest wait for a lease. 0 means no wait; undefined means no limit. */
  maxWaitMilliseconds: number | undefined;
  onWait(lease: ForeignLease): void;
  onOutage(error: StoreError): void;
  onLapsed(milliseconds: number): void;
  /** Called before this process waits for the former owner's last requests. */
  onTakeover(milliseconds: number): void;
}

const pollMilliseconds = 1_000;

/**
 * Maximum number of finished runs that a command removes when it ends. Removing a run takes time, because
 * its writes are read first.
 */
const removedAtEnd = 10;

interface OpenSharedRuns extends SharedRuns {
  /** Whether to omit user names and hosts from the store. */
  readonly isAnonymous: boolean;
  /** Copies journals of runs without a group, such as runs of `config apply`, to this machine. */
  fetchRunsWithoutGroup(): Promise<void>;
  isKnown(id: string): Promise<boolean>;
  close(): Promise<void>;
}

export function createSharedRuns(given: SharedRunsOptions): OpenSharedRuns {
  const { connection, sealer, info } = given.store;
  const holder = toShownHolder(connection.address, given.holder);
  const options = { ...given, holder };
  const { folder, clock, random, signal, leaseMilliseconds, windowMilliseconds } = options;
  const { schema } = connection.address;
  const stop = new AbortController();
  const leases = createLeases(connection, { clock, fence: randomUuid(random), holder, leaseMilliseconds });
  const published = new Set<string>();
  /** Whether another process may have written data without recording it in the store. */
  let mayMissWrites = false;
  const fetched = new Map<string, { seq: number; isEmpty: boolean }>();
  /** Marks this process's runs with its new fence. Returns false if another process owns one of them. */
  const claimRuns = async (former: readonly string[]): Promise<boolean> => {
    for (const id of published) {
      const rows = await connection.query(
        `UPDATE ${schema}.run SET fence = $2 WHERE id = $1 AND fence = ANY($3) RETURNING id`,
        [id, leases.fence, [...former, leases.fence]],
      );
      // If a failover lost the run, continue: the publisher appends it again.
      if (rows.length === 0 && (await hasRun(connection, id))) return false;
    }
    return true;
  };
  const retakeLeases = async (): Promise<boolean> => {
    const lapsed = leases.lapsedMilliseconds();
    if (!(await leases.retake(randomUuid(random), claimRuns))) return false;
    // Report only leases that expired, not leases that a failover lost earlier.
    if (lapsed >= leaseMilliseconds) options.onLapsed(lapsed);
    return true;
  };
  let retaking: Promise<boolean> | undefined;
  /** Acquires the leases again. Concurrent calls share one attempt. */
  const retake = (): Promise<boolean> => {
    retaking ??= retakeLeases().finally(() => {
      retaking = undefined;
    });
    return retaking;
  };
  const logParts: RunLogParts = {
    ...{ connection, sealer, leases, clock, signal, leaseMilliseconds, retake },
    ...{ outageMilliseconds: options.outageMilliseconds, onOutage: options.onOutage },
  };
  const renewRegularly = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(leaseMilliseconds / 4, stop.signal);
      // Ignore errors: the next append detects lost leases.
      await leases.renew().catch(() => false);
    }
  };
  let isRenewing = false;
  const keepRenewing = () => {
    if (isRenewing) return;
    isRenewing = true;
    renewRegularly().catch(() => {});
  };
  const take = async (name: string): Promise<boolean> => {
    if (leases.names.includes(name)) return false;
    const hasWaited = await takeLease(name, leases, options, (work) => persist(logParts, work));
    keepRenewing();
    return hasWaited;
  };
  const fetch = (where: string, value: unknown) => persist(logParts, () => fetchRuns(where, value));
  const fetchRuns = async (where: string, value: unknown): Promise<void> => {
    await makePrivateFolder(folder);
    const rows = await connection.query(`SELECT id, format FROM ${schema}.run WHERE ${where}`, [value]);
    for (const row of rows) {
      const id = String(row["id"]);
      if (published.has(id)) continue;
      const path = pathOf(folder, id);
      await rm(path, { force: true });
      const copy = await rebuildJournal(path, readEntries(connection, sealer, id));
      fetched.set(id, copy);
      if (copy.isEmpty) await rm(path, { force: true });
    }
  };
  const fetchRunsOf = (name: string) => fetch("leases @> ARRAY[$1]", name);
  const takeover = { ...info, windowMilliseconds, onTakeover: options.onTakeover };
  const onFailover = () => {
    mayMissWrites = true;
  };
  const publisherParts = {
    ...logParts,
    folder,
    holder,
    windowMilliseconds,
    timeline: info.timeline,
    onFailover,
  };
  return {
    isAnonymous: connection.address.isAnonymous,
    blobs: createSharedBlobs(logParts),
    isKnown: (id) => persist(logParts, () => hasRun(connection, id)),
    isOwnRun: async (id) =>
      (await persist(logParts, () => findSharedRun(connection, id)))?.by === formatPlace(holder),
    findTarget: (name) => persist(logParts, () => findTarget(connection, name)),
    saveTarget: (name, lockSha256) =>
      persist(logParts, () => saveTarget(connection, name, lockSha256, { holder })),
    async lease(name) {
      await take(name);
      await fetchRunsOf(name);
    },
    locks: createLeasedLocks(options.baseUrl, leases, take, fetchRunsOf),
    fetchRunsWithoutGroup: () => fetch("leases = '{}' AND about->>'base_url' = $1", options.baseUrl),
    fetchRun: (id) => fetch("id = $1 OR id ~ ('^' || $1 || '-undo(-[0-9]+)?$')", id),
    async publish({ id, journal }) {
      if (published.has(id)) return;
      await take(`run/${id}`);
      const { former, lastTimeline } = await persist(logParts, () =>
        readEarlierRuns(connection, id, leases.names),
      );
      if (info.timeline > lastTimeline) mayMissWrites = true;
      const about = describeRun(journal, options);
      const seq = await persist(logParts, () => claimRun({ connection, leases, ...info }, id, about));
      const copy = fetched.get(id) ?? { seq: 0, isEmpty: true };
      if (seq !== copy.seq)
        throw new BulkError("run_busy", `another process has changed run ${id}`, "run the command again");
      published.add(id);
      if (former !== undefined) {
        if (!copy.isEmpty) mayMissWrites = true;
        await takeOverRequests({ ...logParts, ...takeover }, { id, journal }, former);
      }
      journal.publishWith(createPublisher(publisherParts, { id, ...copy }, journal));
    },
    async remove(id) {
      if (!published.delete(id)) return;
      const statement = `DELETE FROM ${schema}.run WHERE id = $1 AND fence = $2`;
      await connection.query(statement, [id, leases.fence]).catch(() => {});
    },
    hasTakenOver: () => mayMissWrites || leases.formerLapsedMilliseconds !== undefined,
    async close() {
      stop.abort();
      if (published.size > 0)
        await removeFinishedRuns(given.store, folder, { most: removedAtEnd }).catch(() => {});
      await leases.release().catch(() => {});
      await connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Acquires a lease and waits for its owner if the options allow it.
 * @param repeat repeats work while the store is unavailable
 * @returns whether it waited
 */
function takeLease(
  name: string,
  leases: Leases,
  options: SharedRunsOptions,
  repeat: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<boolean> {
  const { clock, signal, maxWaitMilliseconds, onWait } = options;
  const attempt = async () => {
    const owner = await repeat(() => leases.take(name));
    return owner && { owner };
  };
  const [subject] = name.split("/");
  const activity = subject === "assistant" ? "is calling" : "is writing to";
  const describe = (owner: ForeignLease) => `${formatOwner(owner)} ${activity} this ${subject}`;
  return waitForOwner(attempt, { clock, signal, pollMilliseconds, maxWaitMilliseconds, describe, onWait });
}

/**
 * Returns text such as "voxctl contacts import kunden.csv, runner@ci-3 (last seen 4 s ago, expires in 56 s)".
 */
export function formatOwner({ holder, seenAgo, lapsesIn }: ForeignLease): string {
  const { command, job, since } = holder;
  const seconds = (milliseconds: number) => `${Math.max(0, Math.round(milliseconds / 1_000))} s`;
  const parts = [`voxctl ${command}`, formatPlace(holder), ...(job === undefined ? [] : [job])];
  if (since !== undefined) parts.push(`since ${formatTime(since)}`);
  return `${parts.join(", ")} (last seen ${seconds(seenAgo)} ago, expires in ${seconds(lapsesIn)})`;
}

function createLeasedLocks(
  baseUrl: string,
  leases: Leases,
  take: (name: string) => Promise<boolean>,
  fetchRunsOf: (name: string) => Promise<void>,
): GroupLocks {
  return {
    async hold(group: LockedGroup) {
      const name = `group/${lockName(baseUrl, group)}`;
      const hasWaited = await take(name);
      await fetchRunsOf(name);
      return hasWaited;
    },
    release: () => leases.release(leases.names.filter((name) => name.startsWith("group/"))),
  };
}
