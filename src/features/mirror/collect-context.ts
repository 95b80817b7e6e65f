import type { Clock } from "../../base/clock.js";
import type { Client } from "../../client/types.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { CircuitBreaker } from "../../write/engine/circuit-breaker.js";
import type { ReadEstimate } from "./estimate.js";
import type { MirrorEmulator } from "./mirror-emulator.js";
import type { ReadingStats } from "./reading-stats.js";

/** Dependencies for copying an organization. */
export interface CollectContext {
  client: Client;
  /** Statistics of the client's requests. */
  stats: ReadingStats;
  emulator: MirrorEmulator;
  /** Pauses reads during an outage. */
  breaker: CircuitBreaker;
  /** The machine's clock, for the dates in the mirror. */
  clock: Clock;
  /** Clock for the client's waits. */
  waits: Clock;
  /** Monotonic time in milliseconds, from the clock that the client uses for its waits. */
  elapsed(): number;
  signal: AbortSignal;
  listener: CollectListener;
}

/** Receives the events of a copy operation, to show them to the user. */
export interface CollectListener {
  /** The first page of each list has arrived. */
  estimated(estimate: ReadEstimate): void;
  /** A page has arrived; `records` is the number of records from this list that the current pass has read so far. */
  read(progress: { pass: number; list: string; records: number }): void;
  /** A record was read by its id, for fields that lists omit. `done` of `total` such records have been read. */
  detailed(progress: { resource: MirrorResource; done: number; total: number }): void;
  collected(pass: { pass: number; changed: number; records: number }): void;
}

export interface CollectOptions {
  /** Maximum number of passes. */
  passes: number;
  /** Share of the declared rate limit that reads may use, at most 1. */
  readShare: number;
  expiresAt: string | null;
  /** Creation time of the mirror to refresh; undefined for a new mirror. */
  madeAt: string | undefined;
}
