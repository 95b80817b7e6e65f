import type { Journal } from "../journal/journal.js";
import type { GroupLocks } from "./group-locks.js";

/** Runs that several machines share. Their journals are published, and the groups that they write to are leased. */
export interface SharedRuns {
  /** Leases groups. When a group is leased, the journals of all runs that wrote to it are copied to this machine. */
  readonly locks: GroupLocks;
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
