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
  { machineClock, signal, maxWaitMilliseconds = Number.POSITIVE_INFINITY, onWait }: GroupLockOptions,
): Promise<{ lock: FileLock; waited: boolean }> {
  let waitedMilliseconds = 0;
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    try {
      return { lock: await lockFile(path, "exclusive", 0), waited: !isFirst };
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
    }
    const holder = await readHolder(path);
    if (waitedMilliseconds >= maxWaitMilliseconds) throw busy(holder, maxWaitMilliseconds);
    if (isFirst) onWait(holder);
    const milliseconds = Math.min(pollMilliseconds, maxWaitMilliseconds - waitedMilliseconds);
    await machineClock.sleep(milliseconds, signal);
    waitedMilliseconds += milliseconds;
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

function busy(holder: Holder | undefined, maxWaitMilliseconds: number): BulkError {
  return new BulkError(
    maxWaitMilliseconds === 0 ? "group_busy" : "group_wait",
    `${holderText(holder)} is writing to this group; nothing was sent`,
    maxWaitMilliseconds === 0
      ? "to wait for it, omit --no-wait"
      : "run the command again later, or use a longer --max-wait",
  );
}
