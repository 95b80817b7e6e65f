import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";
import type { Client } from "../../client/types.js";
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
  /** Client that sends planned items. */
  writer: Pick<Client, "call" | "paced">;
  /** Statistics of the client's requests, including those before the run. */
  requestStats: RequestStats;
  /** The service's clock; that of the emulator if it runs in this process. */
  clock: Clock;
  /** The machine's clock, for the run's own dates. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  /**
   * Whether the service is an emulator in this process or a rehearsal's fork. The journal then doesn't need to survive
   * power failures, because the emulator doesn't either.
   */
  inProcess: boolean;
  /** Directory with the journals on this machine. */
  folder: string;
  /** Directory of the results files. */
  resultsFolder: string;
  /** Runs that machines share; undefined if this machine shares none. */
  sharedRuns?: SharedRuns | undefined;
  /** Key maps of the store, also for a dry run; undefined if they are in the data directory. */
  sharedBlobs?: SharedBlobs | undefined;
  /** Returns monotonic time, in milliseconds; the emulator's time if the emulator runs in this process. */
  elapsed(): number;
  /** How long, in milliseconds, a request without a response may still take effect and a list may be outdated. */
  readonly settleMilliseconds: number;
  /** Circuit breaker that all requests of the run share. */
  breaker: CircuitBreaker;
  /** Maximum number of requests in flight. */
  width: number;
  /** Locks of the groups that the run writes to; released when its command ends. */
  locks: GroupLocks;
  listener: RunListener;
  /**
   * Whether to read a group again after contacts were created in it; false if the user has disabled that, undefined if
   * no other process can write to the service.
   */
  finalCheck?: boolean | undefined;
  /** Fleet run and member that this run belongs to: `RUN/NAME`. The journal stores it. */
  fleetMember?: string | undefined;
  /** Called after each journaled step, so that tests can kill the process there. */
  onStep?: ((step: Step) => void) | undefined;
}

/** Number of affected rows, and the first few of them. */
export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

/** Events of a run that are shown to the user. */
export interface RunListener {
  /** The group is being read; `items` is the number of items so far. */
  reading(items: number): void;
  /** Lists will be read again after this time, in milliseconds, because they may be outdated. */
  rereading(milliseconds: number, because: string): void;
  /** The file is being read; `rows` is the number of rows so far. */
  planning(rows: number): void;
  /** A new run starts although an unfinished run for the same file exists. */
  unfinishedRun(id: string): void;
  /**
   * Some rows match another row or a contact with a different name. `kept` rows are not imported; `renamed` rows change
   * the name of the contact.
   */
  differingNames(rows: { kept: RowList; renamed: RowList }): void;
  /** Some rows repeat an earlier row of the file but have additional list entries, which are not imported. */
  entriesDropped(rows: RowList): void;
  /** Some rows were not imported. Called once, before the end of the run. */
  rejected(rows: Rejected): void;
  /** An unfinished run is being resumed. */
  resuming(run: { id: string; done: number; open: number }): void;
  /** The number of requests is known. */
  sending(plan: { requests: number; done: number }): void;
  /**
   * `done` requests are finished; `intervalMilliseconds` is the time between two requests at the rate limit, 0 for no
   * delay.
   */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** The run pauses for this time, in milliseconds, because of repeated failures. */
  pausing(milliseconds: number, cause: ClientError): void;
  /** `lost` responses were lost, so the group is read to check which writes took effect. */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** The group was not read again to find contacts that another process created. */
  finalCheckSkipped(reason: string): void;
  /** The run stopped early and can be resumed. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}
