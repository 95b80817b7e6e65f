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

export interface RunContext {
  /** Client for reads. It waits during an outage. */
  client: Client;
  writer: Pick<Client, "call" | "paced">;
  /** Counts all requests of the client, including those before the run. */
  requestStats: RequestStats;
  /** The service's clock. For an emulator in this process, the emulator's clock. */
  clock: Clock;
  /** This machine's clock, for dates and durations in the journal. */
  machineClock: Clock;
  signal: AbortSignal;
  baseUrl: string;
  profile: string;
  /**
   * Whether the service is an in-process emulator or a rehearsal copy. Its state doesn't survive a power
   * failure, so the journal doesn't have to survive one either.
   */
  inProcess: boolean;
  folder: string;
  resultsFolder: string;
  /** Runs shared between machines; undefined without a shared store. */
  sharedRuns?: SharedRuns | undefined;
  /**
   * Key maps in the shared store, set even for a dry run. Undefined if key maps are in the data directory.
   */
  sharedBlobs?: SharedBlobs | undefined;
  /** Returns monotonic time in milliseconds. For an emulator in this process, returns the emulator's time. */
  elapsed(): number;
  /**
   * Time, in milliseconds, after which a request without a response can no longer take effect. Lists can be
   * outdated for up to this time.
   */
  readonly settleMilliseconds: number;
  breaker: CircuitBreaker;
  /** Maximum number of requests in flight. */
  width: number;
  /** Locks of the groups that the run writes to. Released when the command ends. */
  locks: GroupLocks;
  listener: RunListener;
  /**
   * Whether to read a group again after creating contacts. False if the user disabled this check; undefined
   * if no other process can write to the service.
   */
  finalCheck?: boolean | undefined;
  /** How long the final check may wait for the rate limit (default: 5 minutes). */
  maxWaitMilliseconds?: number | undefined;
  /** User, CI job and command of this run, for the journal. */
  author: Author;
  /** Fleet run and member of this run, as `RUN/NAME`. The journal stores it. */
  fleetMember?: string | undefined;
  /** Called after each journaled step. Tests can stop the process here. */
  onStep?: ((step: Step) => void) | undefined;
}

export interface RowList {
  readonly count: number;
  readonly first: readonly number[];
}

export interface RunListener {
  reading(items: number): void;
  /** Reports that outdated lists will be read again after this delay in milliseconds. */
  rereading(milliseconds: number, because: string): void;
  planning(rows: number): void;
  unfinishedRun(id: string): void;
  /** @param undone ID of the run whose undo is unfinished */
  unfinishedUndo(undone: string): void;
  /**
   * Reports rows that match a row or a contact with a different name. Rows in `kept` are not imported. Rows in
   * `renamed` change the contact's name. `firstName` is the name of the row or contact that the first row in
   * `kept` matches.
   */
  differingNames(rows: { kept: RowList; renamed: RowList; firstName: string | undefined }): void;
  /**
   * Reports rows that repeat an earlier row but contain additional list entries, such as phone numbers. These
   * entries are not imported.
   */
  entriesDropped(rows: RowList): void;
  /** Called once, before the run ends. */
  rejected(rows: Rejected): void;
  resuming(run: { id: string; done: number; open: number }): void;
  sending(plan: { requests: number; done: number }): void;
  /**
   * Reports progress. `done` counts finished requests. `intervalMilliseconds` is the interval between
   * requests under the rate limit; 0 means no delay.
   */
  advanced(progress: { done: number; intervalMilliseconds: number }): void;
  /** Reports a pause in milliseconds after repeated failures. */
  pausing(milliseconds: number, cause: ClientError): void;
  /**
   * Reports that `lost` responses were lost. The group will be read to determine which writes took effect.
   */
  reconciling(lost: number, settleMilliseconds: number): void;
  /** Reports that the final check was skipped. The check finds duplicates that other processes created. */
  finalCheckSkipped(reason: string): void;
  /** Reports that the run stopped early and can be resumed. */
  stopped(run: { id: string; done: number; open: number; lost: number }): void;
}
