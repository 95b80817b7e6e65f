import type { Clock } from "../../base/clock.js";
import type { Client } from "../../client/types.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { CircuitBreaker } from "../engine/circuit-breaker.js";
import type { ReadEstimate } from "./estimate.js";
import type { MirrorEmulator } from "./mirror-emulator.js";
import type { ReadingStats } from "./reading-stats.js";

/** The parts that a copying works with. */
export interface CollectContext {
  client: Client;
  /** Counts the requests of the client. */
  stats: ReadingStats;
  emulator: MirrorEmulator;
  /** Reads wait until an outage ends (T14). */
  breaker: CircuitBreaker;
  /** The machine's clock: a mirror's dates are the machine's. */
  clock: Clock;
  /** The clock on which the client waits. */
  waits: Clock;
  /** Monotonic time that the client waits on, in milliseconds. */
  elapsed(): number;
  signal: AbortSignal;
  listener: CollectListener;
}

/** The events of a mirror that are shown to the user. */
export interface CollectListener {
  /** The first page of each list came. */
  estimated(estimate: ReadEstimate): void;
  /** A page was received; `records` is the number of records of this list so far in this collect. */
  read(progress: { pass: number; list: string; records: number }): void;
  /** Number of records per resource that were read by a get, out of all with fields that only a get shows. */
  detailed(progress: { resource: MirrorResource; done: number; total: number }): void;
  /** A collect is through. */
  collected(pass: { pass: number; changed: number; records: number }): void;
}

export interface CollectOptions {
  /** Collects at most. */
  passes: number;
  /** The part of the declared limit that reads may use, up to 1. */
  readShare: number;
  expiresAt: string | null;
  /** Creation time of the mirror that is updated. */
  madeAt: string | undefined;
}
