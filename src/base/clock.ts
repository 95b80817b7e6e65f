import { onAbort } from "./abort.js";

/**
 * Time as the rest of the house sees it: milliseconds since the epoch, and a wait.
 * Nothing outside this file reads the system's time.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Resolves when `milliseconds` have passed on this clock. A world's clock moves instead of waiting.
   * Rejects with the signal's reason when it is aborted first.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A stopwatch's reading, for time that passes: never goes back when the date is set. Without it `now` serves. */
  elapsed?(): number;
}

/** The reading of a clock's stopwatch, in milliseconds: says nothing about the date. */
export function stopwatch(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

/** The same time with another way to wait; the stopwatch stays the clock's, so that readings can be compared. */
export function withSleep(clock: Clock, sleep: Clock["sleep"]): Clock {
  return { now: () => clock.now(), elapsed: () => stopwatch(clock), sleep };
}

/** A timer that is asked for more fires at once. */
const longestTimer = 2_147_483_647;

/** The machine's own clock. A wait of more than 24 days ends after these. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: monotonicMilliseconds,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const abort = () => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(
          () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
          Math.min(Math.max(0, milliseconds), longestTimer),
        );
        if (!signal) return;
        onAbort(signal, abort);
      }),
  };
}

/** A stopwatch's reading in milliseconds: never goes back, says nothing about the date. */
export function monotonicMilliseconds(): number {
  // Not `performance.now()`, whose module node 20 loads at its first use.
  return Number(process.hrtime.bigint()) / 1e6;
}
