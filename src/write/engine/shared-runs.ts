import type { Journal } from "../journal/journal.js";
import type { GroupLocks } from "./group-locks.js";

/** Content that machines share by name and replace as a whole, such as the key map of a group. */
export interface SharedBlobs {
  /** Returns the current content; undefined if none is stored. */
  load(name: string): Promise<{ generation: number; content: Buffer } | undefined>;
  /**
   * Replaces the content of this generation; 0 if none is stored.
   * @throws BulkError `store_changed` if it has another generation, `run_taken` if a lease was lost
   */
  save(name: string, generation: number, content: Buffer): Promise<void>;
}

/** The lock file of a configuration target, as it was last applied. */
export interface AppliedTarget {
  lockSha256: string;
  /** The user and machine that applied it: `ben@lap-02`. */
  by: string;
  /** Milliseconds since then, by the database's clock. */
  ago: number;
}

/** Runs that several machines share. Their journals are published, and the groups that they write to are leased. */
export interface SharedRuns {
  /** Leases groups. When a group is leased, the journals of all runs that wrote to it are copied to this machine. */
  readonly locks: GroupLocks;
  readonly blobs: SharedBlobs;
  /**
   * Leases something other than a group, by a name such as `target/…`. The journals of its runs are then on this
   * machine.
   * @throws BulkError see `GroupLocks`
   */
  lease(name: string): Promise<void>;
  /** Returns whether this machine's user last worked on a run. */
  isOwnRun(id: string): Promise<boolean>;
  findTarget(name: string): Promise<AppliedTarget | undefined>;
  saveTarget(name: string, lockSha256: string): Promise<void>;
  /** Copies the journals of a run and its undos to this machine. Skips an unknown run. */
  fetchRun(id: string): Promise<void>;
  /**
   * Leases the run and publishes its journal, including later changes.
   * @throws BulkError `run_busy` if another process has leased the run
   */
  publish(run: { id: string; journal: Journal }): Promise<void>;
  /**
   * Returns whether another process may still write what this one writes: it had a lease or the run before, or the
   * database server failed over.
   */
  hasTakenOver(): boolean;
}
