import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
import type { Author } from "../journal/authors.js";
import type { Step } from "../journal/journal.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { GroupLocks } from "./group-locks.js";
import type { RequestStats } from "./request-stats.js";
import type { Rejected } from "./results-file.js";
import type { SharedBlobs, SharedRuns } from "./shared-runs.js";

/** Dependencies and settings of a bulk run. */
export interface RunContext {
  /** Client for reads, which waits until an outage ends. */
  client: Client;
  /** Client that sends the planned items. */
  writer: Pick<Client, "call" | "paced">;
  /** Statistics of all requests that the client sends, including those before the run. */
  requestStats: RequestStats;
  /** The service's clock, or the emulator's clock if the emulator runs in this process. */
  clock: Clock;
  /** This machine's clock, for dates and durations in the journal. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  /**
   * Whether the service is an emulator in this process or a rehearsal copy. Its state doesn't survive a power failure, so the journal
   * doesn't need to either.
   */
  inProcess: boolean;
  /** Directory with the journals on this machine. */
  folder: string;
  resultsFolder: string;
  /** Runs shared between machines; undefined if there is no shared store. */
  sharedRuns?: SharedRuns | undefined;
  /** Key maps in the shared store, even for a dry run; undefined if they are in the data directory. */
  sharedBlobs?: SharedBlobs | undefined;
  /** Returns monotonic time, in milliseconds, or the emulator's time if the emulator runs in this process. */
  elapsed(): number;
  /** How long a request without a response may still take effect, in milliseconds. Lists may be outdated for the same time. */
  readonly settleMilliseconds: number;
  /** Circuit breaker that all requests of the run share. */
  breaker: CircuitBreaker;
  /** Maximum number of requests in flight. */
  width: number;
  /** Locks of the groups that the run writes to. Released when the command ends. */
  locks: GroupLocks;
  listener: RunListener;
  /**
   * Whether to read a group again after creating contacts in it. False if the user has disabled it; undefined if no other process can write
   * to the service.
   */
  finalCheck?: boolean | undefined;
  /** How long the final check may wait for the rate limit (default: 5 minutes). */
  maxWaitMilliseconds?: number | undefined;
  /** User, CI job and command that send the run's requests. Stored in the journal. */
  author: Author;
  /** Fleet run and member that this run belongs to: `RUN/NAME`. Stored in the journal. */
  fleetMember?: string | undefined;
  /** Called after each journaled step, so that tests can stop the process at that point. */
  onStep?: ((step: Step) => void) | undefined;
}

/** Number of affected rows, and the first few of them. */
export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

/** Receives the events of a run, to show them to the user. */
export interface RunListener {
  /** The group is being read; `items` is the number of items so far. */
  reading(items: number): void;
  /** Lists will be read again after this delay, in milliseconds, because they may be outdated. */
  rereading(milliseconds: number, because: string): void;
  /** The file is being read; `rows` is the number of rows so far. */
  planning(rows: number): void;
  /** A new run starts although an unfinished run for the same file exists. */
  unfinishedRun(id: string): void;
  /**
   * Some rows match a row or a contact with a different name. The rows in `kept` are not imported; the rows
   * in `renamed` change the contact's name. `firstName` is the name that differs from the name in the first
   * row of `kept`.
   */
  differingNames(rows: { kept: RowList; renamed: RowList; firstName: string | undefined }): void;
  /**
   * Some rows repeat an earlier row but contain more list entries, such as phone numbers. These entries are
   * not imported.
   */
  entriesDropped(rows: RowList): void;
  /** Some rows were not imported. Called once, before the end of the run. */
  rejected(rows: Rejected): void;
  resuming(run: { id: string; done: number; open: number }): void;
  sending(plan: { requests: number; done: number }): void;
  /**
   * `done` is the number of finished requests. `intervalMilliseconds` is the time between two requests under the rate
   * limit; 0 means no delay.
   */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** The run pauses for this long, in milliseconds, after repeated failures. */
  pausing(milliseconds: number, cause: ClientError): void;
  /**
   * Some responses were lost (`lost` is the number of responses), so the group will be read to determine
   * which writes took effect.
   */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** The final check, which finds contacts that another process created, was skipped. */
  finalCheckSkipped(reason: string): void;
  /** The run stopped early and can be resumed. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}
