import type { Journal } from "../journal/journal.js";
import type { GroupLocks } from "./group-locks.js";

export interface SharedBlobs {
  /** Returns the current content; undefined if nothing is stored. */
  load(name: string): Promise<{ generation: number; content: Buffer } | undefined>;
  /**
   * Replaces the content if its generation is unchanged; 0 means that nothing is stored yet.
   * @throws BulkError `store_changed` for a different generation, `run_taken` if a lease was lost
   */
  save(name: string, generation: number, content: Buffer): Promise<void>;
}

/** The lock file with which a configuration target was last applied. */
export interface AppliedTarget {
  lockSha256: string;
  /** User and machine that applied the configuration, such as `ben@lap-02`. */
  by: string;
  /** Milliseconds since the configuration was applied, by the database's clock. */
  ago: number;
}

/** Runs that several machines share. Their journals are published, and their groups are leased. */
export interface SharedRuns {
  /** Acquiring a group's lock also copies the journals of all runs that wrote to the group. */
  readonly locks: GroupLocks;
  readonly blobs: SharedBlobs;
  /**
   * Leases a resource other than a group, such as `target/…`. Copies its runs' journals to this machine.
   * @throws BulkError see `GroupLocks`
   */
  lease(name: string): Promise<void>;
  isOwnRun(id: string): Promise<boolean>;
  findTarget(name: string): Promise<AppliedTarget | undefined>;
  saveTarget(name: string, lockSha256: string): Promise<void>;
  /** Copies the journals of a run and its undos to this machine. Ignores unknown runs. */
  fetchRun(id: string): Promise<void>;
  /**
   * Leases the run and publishes its journal, including later changes.
   * @throws BulkError `run_busy` if another process has leased the run
   */
  publish(run: { id: string; journal: Journal }): Promise<void>;
  /** Removes a published run. Keeps it if another process has taken it over or the store is unavailable. */
  remove(id: string): Promise<void>;
  /**
   * Returns whether another process may have written to the same groups, for example before this process took
   * over its lease.
   */
  hasTakenOver(): boolean;
}
