import type { Journal } from "../journal/journal.js";
import type { GroupLocks } from "./group-locks.js";

/** Named content that machines share, such as a group's key map. Each save replaces all of it. */
export interface SharedBlobs {
  /** Returns the current content; undefined if nothing is stored. */
  load(name: string): Promise<{ generation: number; content: Buffer } | undefined>;
  /**
   * Replaces the content if it still has this generation; 0 means that nothing is stored yet.
   * @throws BulkError `store_changed` if the generation is different, `run_taken` if a lease was lost
   */
  save(name: string, generation: number, content: Buffer): Promise<void>;
}

/** A configuration target's lock file, as last applied. */
export interface AppliedTarget {
  lockSha256: string;
  /** User and machine that applied the configuration, such as `ben@lap-02`. */
  by: string;
  /** Milliseconds since the configuration was applied, by the database's clock. */
  ago: number;
}

/** Runs that several machines share. Their journals are published, and the groups that they write to are leased. */
export interface SharedRuns {
  /**
   * Leases groups. When a group is leased, the journals of all runs that wrote to the group are copied to this machine.
   */
  readonly locks: GroupLocks;
  readonly blobs: SharedBlobs;
  /**
   * Leases something other than a group, such as `target/…`, and copies its runs' journals to this machine.
   * @throws BulkError see `GroupLocks`
   */
  lease(name: string): Promise<void>;
  /** Returns whether this machine's user was the last one to work on a run. */
  isOwnRun(id: string): Promise<boolean>;
  findTarget(name: string): Promise<AppliedTarget | undefined>;
  saveTarget(name: string, lockSha256: string): Promise<void>;
  /** Copies the journals of a run and its undos to this machine. Ignores an unknown run. */
  fetchRun(id: string): Promise<void>;
  /**
   * Leases the run and publishes its journal and all later changes to it.
   * @throws BulkError `run_busy` if another process has leased the run
   */
  publish(run: { id: string; journal: Journal }): Promise<void>;
  /** Removes a published run, unless another process has taken it over. Keeps the run if the store is unavailable. */
  remove(id: string): Promise<void>;
  /**
   * Returns whether another process may still be writing the same data. This is possible after a failover of
   * the database server, or if another process held a lease or the run before this process.
   */
  hasTakenOver(): boolean;
}
