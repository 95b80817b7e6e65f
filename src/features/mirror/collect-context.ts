import type { Clock } from "../../base/clock.js";
import type { Client } from "../../client/types.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { CircuitBreaker } from "../../write/engine/circuit-breaker.js";
import type { ReadEstimate } from "./estimate.js";
import type { MirrorEmulator } from "./mirror-emulator.js";
import type { ReadingStats } from "./reading-stats.js";

export interface CollectContext {
  client: Client;
  stats: ReadingStats;
  emulator: MirrorEmulator;
  breaker: CircuitBreaker;
  /** The machine's clock, for the dates in the mirror. */
  clock: Clock;
  /** Clock that the client uses to wait. */
  waits: Clock;
  /** Monotonic time of the clock that the client uses to wait, in milliseconds. */
  elapsed(): number;
  signal: AbortSignal;
  listener: CollectListener;
}

export interface CollectListener {
  /** Called when the first pages of all lists have been read. */
  estimated(estimate: ReadEstimate): void;
  /** Called for each page. `records` is the number of records of this list that the pass has read so far. */
  read(progress: { pass: number; list: string; records: number }): void;
  /**
   * Called after a record was read by its ID to get fields that lists omit. `total` is the number of records
   * that must be read by ID.
   */
  detailed(progress: { resource: MirrorResource; done: number; total: number }): void;
  collected(pass: { pass: number; changed: number; records: number }): void;
}

export interface CollectOptions {
  passes: number;
  /** Share of the declared rate limit that reads may use, at most 1. */
  readShare: number;
  expiresAt: string | null;
  /** Creation time of the mirror to refresh; undefined for a new mirror. */
  madeAt: string | undefined;
}
