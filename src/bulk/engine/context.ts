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
  /** Sends planned items. */
  writer: Pick<Client, "call" | "paced">;
  /** Counts the requests of the client, which has received a response already. */
  requestStats: RequestStats;
  /** The service's clock: in process, the clock of the emulator. */
  clock: Clock;
  /** The machine's, for the run's own dates. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  /** The service is in this process, or a rehearsal's fork: no safer from a power failure than the journal need be. */
  inProcess: boolean;
  /** Directory of the runs. */
  folder: string;
  /** Monotonic time: in process, the time of the emulator; otherwise independent of clock changes. */
  elapsed(): number;
  /** How long a request without a response may still take effect and a list may lag, in milliseconds. */
  readonly settleMilliseconds: number;
  /** Shared by everything that the run sends. */
  breaker: CircuitBreaker;
  /** Requests in flight at most. */
  width: number;
  /** Locks of the groups that the run writes to; released when its command ends. */
  locks: GroupLocks;
  listener: RunListener;
  /** Called for every step of the journal; tests end the process there. */
  onStep?: ((step: Step) => void) | undefined;
}

/** How many rows something concerns, and the first of them. */
export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

/** The events of a run that are shown to the user. */
export interface RunListener {
  /** The group is read, so far this many. */
  reading(items: number): void;
  /** Lists are read again after this time, since a list may lag. */
  rereading(milliseconds: number, because: string): void;
  /** The file is read, so far this many rows. */
  planning(rows: number): void;
  /** An unfinished run of the same file exists, unchanged or with other options, and this is a new run. */
  unfinishedRun(id: string): void;
  /**
   * Rows that match another row or a contact with a different name: `left` rows are not imported, `renamed`
   * rows update the name of the contact.
   */
  differingNames(rows: { kept: RowList; renamed: RowList }): void;
  /** Rows that repeat another row of the file, and have entries of lists that it lacks: nothing imports these. */
  entriesDropped(rows: RowList): void;
  /** The rows that were not or can't be imported: reported once, before the end. */
  rejected(rows: Rejected): void;
  /** An unfinished run was found or specified. */
  resuming(run: { id: string; done: number; open: number }): void;
  /** The number of requests is known. */
  sending(plan: { requests: number; done: number }): void;
  /** Requests that are through, of all of the run; and their distance as the limit allows it, 0: at once. */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** Nothing is sent for this time, in milliseconds, after several failures in a row. */
  pausing(milliseconds: number, cause: ClientError): void;
  /** Responses were lost: the group is read to check which writes were made. */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** The run stopped early and can be resumed. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}
