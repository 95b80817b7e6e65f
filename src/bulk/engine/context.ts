import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { Step } from "../journal/journal.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { GroupLocks } from "./group-locks.js";
import type { RequestStats } from "./request-stats.js";
import type { Rejected } from "./results-file.js";

/** The context of every bulk run. */
export interface RunContext {
  /** For all that is read: its calls wait until an outage is over. */
  client: Client;
  /** Sends what is planned. */
  writer: Pick<Client, "call" | "paced">;
  /** Counts what the client does; it has seen an answer already. */
  requestStats: RequestStats;
  /** The service's time: the world's in process. */
  clock: Clock;
  /** The machine's, for the run's own dates. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  /** The service is in this process, or a rehearsal's fork: no safer from a power failure than the journal need be. */
  inProcess: boolean;
  /** Where runs are kept. */
  folder: string;
  /** A stopwatch's reading: the world's time in process, else one that no change of the clock moves. */
  elapsed(): number;
  /** How long a request whose answer was lost may still take effect, and a list may lag. */
  readonly settleMilliseconds: number;
  /** Shared by everything that the run sends. */
  breaker: CircuitBreaker;
  /** Requests in flight at most. */
  width: number;
  /** Held by whoever writes into a group; let go of when the run's command ends. */
  locks: GroupLocks;
  listener: RunListener;
  /** Told of every step of the journal, for tests that end the process there. */
  onStep?: ((step: Step) => void) | undefined;
}

/** How many rows something concerns, and the first of them. */
export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

/** The events of a run that a person may want to see. */
export interface RunListener {
  /** The group is read, so far this many. */
  reading(items: number): void;
  /** Lists are read again after this time, since a list may lag. */
  rereading(milliseconds: number, because: string): void;
  /** The file is read, so far this many rows. */
  planning(rows: number): void;
  /** An unfinished run of the same file, as it was or with other options, is there, and this is a new one. */
  unfinishedRun(id: string): void;
  /**
   * Rows that are taken for another row or a contact of another name: `left` are not imported, `renamed` give the
   * contact their name.
   */
  differingNames(rows: { kept: RowList; renamed: RowList }): void;
  /** Rows that repeat another row of the file, and have entries of lists that it lacks: nothing imports these. */
  entriesDropped(rows: RowList): void;
  /** The rows that were not, or can't be, imported: said once, before the end. */
  rejected(rows: Rejected): void;
  /** An unfinished run was found, or named. */
  resuming(run: { id: string; done: number; open: number }): void;
  /** The number of requests is known. */
  sending(plan: { requests: number; done: number }): void;
  /** Requests that are through, of all of the run; and their distance as the limit allows it, 0: at once. */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** Nothing is sent for so long, after failures in a row. */
  pausing(milliseconds: number, cause: ClientError): void;
  /** Answers were lost: the group is read to find out what happened. */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** It ended before its end, and can be gone on with. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}
