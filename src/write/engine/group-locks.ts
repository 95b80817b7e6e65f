import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../../base/clock.js";
import { type FileLock, LockedError, lockFile } from "../../base/file-lock.js";
import { makePrivateFolder } from "../../base/private-file.js";
import { BulkError } from "../errors.js";
import { normalizedText } from "../fields.js";

/**
 * A group that a run writes to. A group that doesn't exist yet is identified by its type, its name and the
 * organization's oldest group, so that runs in different organizations don't wait for each other.
 */
export type LockedGroup = { id: string } | { type: string; name: string; oldestGroup: string | null };

/** Only one run per data directory can write to a group at a time. */
export interface GroupLocks {
  /**
   * Acquires a group's lock. Waits if another run holds it.
   * @returns whether it waited; if so, data read earlier may be outdated
   * @throws BulkError `group_busy` if waiting is not allowed, `group_wait` after the longest wait; the
   *   signal's reason
   */
  hold(group: LockedGroup): Promise<boolean>;
  /** Releases all locks. When a process ends, the operating system releases its locks. */
  release(): Promise<void>;
}

const Holder = z.object({ pid: z.number(), command: z.string() });
type Holder = z.output<typeof Holder>;

export interface GroupLockOptions {
  folder: string;
  /** Base URL of the service. Group IDs are unique only within a service. */
  baseUrl: string;
  machineClock: Clock;
  signal: AbortSignal;
  holder: Holder;
  /** Longest wait, in milliseconds. 0 means don't wait; undefined means no limit. */
  maxWaitMilliseconds?: number | undefined;
  /** Called once before waiting. `holder` is undefined if the other run is still starting. */
  onWait(holder: Holder | undefined): void;
}

const pollMilliseconds = 200;

/** Each lock is an open SQLite transaction, so even a crash releases it. */
export function createGroupLocks(options: GroupLockOptions): GroupLocks {
  const held: { path: string; lock: FileLock }[] = [];
  return {
    async hold(group) {
      await makePrivateFolder(options.folder);
      const path = join(options.folder, lockName(options.baseUrl, group));
      if (held.some((entry) => entry.path === path)) return false;
      const { lock, waited } = await waitFor(path, options);
      held.push({ path, lock });
      await writeFile(holderPath(path), JSON.stringify(options.holder), { mode: 0o600 });
      return waited;
    },
    async release() {
      for (const { path, lock } of held.splice(0)) {
        await rm(holderPath(path), { force: true });
        lock.release();
      }
    },
  };
}

/**
 * Returns the name of a group's lock. It doesn't depend on the profile, the key or the spelling of the group's
 * name.
 */
export function lockName(baseUrl: string, group: LockedGroup): string {
  const parts =
    "id" in group ? ["id", group.id] : ["name", group.oldestGroup, group.type, normalizedText(group.name)];
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, ...parts]))
    .digest("hex")
    .slice(0, 24);
}

function holderPath(path: string): string {
  return `${path}.holder.json`;
}

async function waitFor(
  path: string,
  options: GroupLockOptions,
): Promise<{ lock: FileLock; waited: boolean }> {
  const { machineClock, signal, maxWaitMilliseconds, onWait } = options;
  let lock: FileLock | undefined;
  const attempt = async () => {
    try {
      lock = await lockFile(path, "exclusive", 0);
      return undefined;
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      return { owner: await readHolder(path) };
    }
  };
  const describe = (holder: Holder | undefined) => `${holderText(holder)} is writing to this group`;
  const waiting = { clock: machineClock, signal, pollMilliseconds, maxWaitMilliseconds, describe, onWait };
  const waited = await waitForOwner(attempt, waiting);
  if (lock === undefined) throw new Error("the lock was not acquired");
  return { lock, waited };
}

interface OwnerWait<Owner> {
  clock: Clock;
  signal: AbortSignal;
  pollMilliseconds: number;
  /** Longest wait, in milliseconds. 0 means don't wait; undefined means no limit. */
  maxWaitMilliseconds?: number | undefined;
  /** Returns text such as "voxctl … is writing to this group". */
  describe(owner: Owner): string;
  onWait(owner: Owner): void;
}

/**
 * Repeats `attempt` until no other run owns the resource.
 * @param attempt returns the current owner if it fails
 * @returns whether it waited
 * @throws BulkError `group_busy`, `group_wait`; the signal's reason
 */
export async function waitForOwner<Owner>(
  attempt: () => Promise<{ owner: Owner } | undefined>,
  {
    clock,
    signal,
    pollMilliseconds: poll,
    maxWaitMilliseconds = Number.POSITIVE_INFINITY,
    describe,
    onWait,
  }: OwnerWait<Owner>,
): Promise<boolean> {
  for (let waited = 0; ; ) {
    signal.throwIfAborted();
    const failed = await attempt();
    if (failed === undefined) return waited > 0;
    if (waited >= maxWaitMilliseconds) throw busy(describe(failed.owner), maxWaitMilliseconds);
    if (waited === 0) onWait(failed.owner);
    const milliseconds = Math.min(poll, maxWaitMilliseconds - waited);
    await clock.sleep(milliseconds, signal);
    waited += milliseconds;
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return Holder.safeParse(JSON.parse(await readFile(holderPath(path), "utf8"))).data;
  } catch {
    // The other run is starting or has just ended.
    return undefined;
  }
}

/** Returns text such as "`voxctl contacts import kunden.csv` (process 4711)". */
export function holderText(holder: Holder | undefined): string {
  return holder === undefined ? "another run" : `\`voxctl ${holder.command}\` (process ${holder.pid})`;
}

function busy(activity: string, maxWaitMilliseconds: number): BulkError {
  return new BulkError(
    maxWaitMilliseconds === 0 ? "group_busy" : "group_wait",
    activity,
    maxWaitMilliseconds === 0
      ? "to wait for that run, omit --no-wait"
      : "run the command again later, or use a longer --max-wait",
  );
}
