import type { Journal } from "../journal/journal.js";
import type { GroupLocks } from "./group-locks.js";

/** Runs that several machines share: their journals are published, and what they write is leased. */
export interface SharedRuns {
  /** Leases groups. The journals of all runs that wrote to a group are on this machine once it is leased. */
  readonly locks: GroupLocks;
  /** Brings the journals of a run and its undos to this machine; none if the run is unknown. */
  fetchRun(id: string): Promise<void>;
  /**
   * Leases the run and publishes what its journal holds, now and later.
   * @throws BulkError `run_busy` if another process has it
   */
  publish(run: { id: string; journal: Journal }): Promise<void>;
}
