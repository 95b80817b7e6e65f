import type { Clock } from "../../base/clock.js";
import type { Client } from "../../client/types.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { CircuitBreaker } from "../../write/engine/circuit-breaker.js";
import type { ReadEstimate } from "./estimate.js";
import type { MirrorEmulator } from "./mirror-emulator.js";
import type { ReadingStats } from "./reading-stats.js";

/** The context of a copy operation. */
export interface CollectContext {
  client: Client;
  /** The client's request statistics. */
  stats: ReadingStats;
  emulator: MirrorEmulator;
  /** Reads wait until an outage ends. */
  breaker: CircuitBreaker;
  /** The machine's clock, for the mirror's dates. */
  clock: Clock;
  /** The clock on which the client waits. */
  waits: Clock;
  /** Monotonic time of the clock that the client waits on, in milliseconds. */
  elapsed(): number;
  signal: AbortSignal;
  listener: CollectListener;
}

/** The events of a mirror that are shown to the user. */
export interface CollectListener {
  /** The first page of each list was received. */
  estimated(estimate: ReadEstimate): void;
  /** A page was received; `records` is the number of records of this list so far in this collect. */
  read(progress: { pass: number; list: string; records: number }): void;
  /** Number of records per resource that were read by a get, out of all with fields that only a get shows. */
  detailed(progress: { resource: MirrorResource; done: number; total: number }): void;
  /** A collect has ended. */
  collected(pass: { pass: number; changed: number; records: number }): void;
}

export interface CollectOptions {
  /** Maximum number of collects. */
  passes: number;
  /** The share of the declared limit that reads may use, up to 1. */
  readShare: number;
  expiresAt: string | null;
  /** Creation time of the mirror that is updated. */
  madeAt: string | undefined;
}
