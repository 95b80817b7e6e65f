import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { Step } from "../journal/journal.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { GroupLocks } from "./group-locks.js";
import type { RequestStats } from "./request-stats.js";
import type { Rejected } from "./results-file.js";
import type { SharedRuns } from "./shared-runs.js";

/** The context of every bulk run. */
export interface RunContext {
  /** For reads: its calls wait until an outage is over. */
  client: Client;
  /** Sends planned items. */
  writer: Pick<Client, "call" | "paced">;
  /** The client's request statistics, including responses received before the run. */
  requestStats: RequestStats;
  /** The service's clock: in process, the clock of the emulator. */
  clock: Clock;
  /** The machine's clock, for the run's own dates. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  /**
   * Whether the service is in this process, or in a rehearsal's fork: the journal then needs no more
   * protection from a power failure than the service.
   */
  inProcess: boolean;
  /** Directory of the runs: the journals on this machine. */
  folder: string;
  /** Directory of the results files. */
  resultsFolder: string;
  /** The runs of all machines; undefined if this machine shares none. */
  sharedRuns?: SharedRuns | undefined;
  /** Monotonic time: in process, the time of the emulator; otherwise independent of clock changes. */
  elapsed(): number;
  /** How long a request without a response may still take effect and a list may lag, in milliseconds. */
  readonly settleMilliseconds: number;
  /** Shared by all requests of the run. */
  breaker: CircuitBreaker;
  /** Maximum number of requests in flight. */
  width: number;
  /** Locks of the groups that the run writes to; released when its command ends. */
  locks: GroupLocks;
  listener: RunListener;
  /** Called for every step of the journal; tests end the process there. */
  onStep?: ((step: Step) => void) | undefined;
}

/** The number of affected rows, and the first of them. */
export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

/** The events of a run that are shown to the user. */
export interface RunListener {
  /** The group is being read; number of items so far. */
  reading(items: number): void;
  /** Lists will be read again after this time, in milliseconds, since a list may lag. */
  rereading(milliseconds: number, because: string): void;
  /** The file is being read; number of rows so far. */
  planning(rows: number): void;
  /** An unfinished run of the same file exists, unchanged or with other options, and this is a new run. */
  unfinishedRun(id: string): void;
  /**
   * Rows that match another row or a contact with a different name: `left` rows are not imported, `renamed`
   * rows update the name of the contact.
   */
  differingNames(rows: { kept: RowList; renamed: RowList }): void;
  /** Rows that repeat another row of the file but have list entries that it lacks: these are not imported. */
  entriesDropped(rows: RowList): void;
  /** The rows that were not or can't be imported: reported once, before the end. */
  rejected(rows: Rejected): void;
  /** An unfinished run was found or specified. */
  resuming(run: { id: string; done: number; open: number }): void;
  /** The number of requests is known. */
  sending(plan: { requests: number; done: number }): void;
  /**
   * Number of finished requests and of all requests of the run; milliseconds between two requests under the
   * limit, 0: no delay.
   */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** The run pauses for this time, in milliseconds, after several failures. */
  pausing(milliseconds: number, cause: ClientError): void;
  /** Responses were lost: the group is read to check which writes were made. */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** The run stopped early and can be resumed. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}
