import { onAbort } from "./abort.js";

/**
 * The current time and a way to wait, for all modules. Only this file reads the system's time.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Resolves when `milliseconds` have passed on this clock. An emulator's clock is advanced instead of waiting. Rejects with the signal's
   * reason if the signal is aborted first.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns monotonic time for durations, which doesn't go back when the date is set (default: `now`). */
  elapsed?(): number;
}

/** Returns a clock's monotonic time in milliseconds, which is unrelated to the date. */
export function stopwatch(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

/** Returns a clock with a different way to wait. It keeps the monotonic time of the original clock, so that readings can be compared. */
export function withSleep(clock: Clock, sleep: Clock["sleep"]): Clock {
  return { now: () => clock.now(), elapsed: () => stopwatch(clock), sleep };
}

/** Longest delay of a timer; a timer with a longer delay would fire at once. */
const longestTimer = 2_147_483_647;

/** Returns the machine's clock. A wait of more than 24 days ends after 24 days. */
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

/** Returns a monotonic time in milliseconds, unrelated to the date. */
export function monotonicMilliseconds(): number {
  // Avoids `performance.now()`, because Node 20 loads a module at its first use.
  return Number(process.hrtime.bigint()) / 1e6;
}
