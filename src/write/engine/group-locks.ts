import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../../base/clock.js";
import { type FileLock, LockedError, lockFile } from "../../base/file-lock.js";
import { BulkError } from "../errors.js";
import { normalizedText } from "../fields.js";

/** A group that a run writes to; by its name if it does not exist yet. */
export type LockedGroup = { id: string } | { type: string; name: string };

/** Prevents two runs of this data directory from writing to one group at the same time. */
export interface GroupLocks {
  /**
   * Acquires the lock of the group and waits for the run that holds it.
   * @returns whether it waited: data that was read before may be outdated
   * @throws BulkError `group_busy` if waiting is not allowed, `group_wait` after the longest wait; the
   * signal's reason
   */
  hold(group: LockedGroup): Promise<boolean>;
  /** Releases all locks; the end of the process does the same. */
  release(): Promise<void>;
}

/** The run that holds a lock; used only in the message. */
const Holder = z.object({ pid: z.number(), command: z.string() });
type Holder = z.output<typeof Holder>;

export interface GroupLockOptions {
  /** `locks/` of the data directory. */
  folder: string;
  /** The service: group ids are unique in it. */
  baseUrl: string;
  machineClock: Clock;
  signal: AbortSignal;
  holder: Holder;
  /** 0: don't wait. Default: no limit. */
  maxWaitMilliseconds?: number | undefined;
  /** Called once if it must wait; the holder is unknown while that run is starting. */
  onWait(holder: Holder | undefined): void;
}

const pollMilliseconds = 200;

/** A lock is an open SQLite transaction: the system releases it when the process ends, even after a crash. */
export function createGroupLocks(options: GroupLockOptions): GroupLocks {
  const held: { path: string; lock: FileLock }[] = [];
  return {
    async hold(group) {
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
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

/** Returns the same name for every run on the same group, regardless of profile, key and spelling. */
export function lockName(baseUrl: string, group: LockedGroup): string {
  const parts = "id" in group ? ["id", group.id] : ["name", group.type, normalizedText(group.name)];
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
  if (lock === undefined) throw new Error("the attempt took no lock");
  return { lock, waited };
}

interface OwnerWait<Owner> {
  clock: Clock;
  signal: AbortSignal;
  pollMilliseconds: number;
  /** 0: don't wait. Default: no limit. */
  maxWaitMilliseconds?: number | undefined;
  /** Returns the activity of the owner: "voxctl … is writing to this group". */
  describe(owner: Owner): string;
  /** Called once if it must wait. */
  onWait(owner: Owner): void;
}

/**
 * Repeats an attempt to take what another run may have.
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
    // That run is starting, or has just ended.
    return undefined;
  }
}

/** "voxctl contacts import kunden.csv (process 4711)" */
export function holderText(holder: Holder | undefined): string {
  return holder === undefined ? "another run" : `voxctl ${holder.command} (process ${holder.pid})`;
}

function busy(activity: string, maxWaitMilliseconds: number): BulkError {
  return new BulkError(
    maxWaitMilliseconds === 0 ? "group_busy" : "group_wait",
    `${activity}; nothing was sent`,
    maxWaitMilliseconds === 0
      ? "to wait for it, omit --no-wait"
      : "run the command again later, or use a longer --max-wait",
  );
}
