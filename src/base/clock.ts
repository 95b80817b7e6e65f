import { longestTimer, onAbort } from "./abort.js";

/** Only this file reads the system's time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /**
   * Waits, or advances an emulator's virtual clock instead.
   * @throws the signal's reason if the signal is aborted first
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Monotonic milliseconds, not affected by changes of the system's date (default: `now`). */
  elapsed?(): number;
  readonly skipsWaits?: boolean;
}

/** Returns milliseconds since an arbitrary start, to measure durations. */
export function stopwatch(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

export function withSleep(clock: Clock, sleep: Clock["sleep"]): Clock {
  return { now: () => clock.now(), elapsed: () => stopwatch(clock), sleep };
}

/** Returns the system's clock, whose `sleep` waits at most 24 days. */
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

export function monotonicMilliseconds(): number {
  // Avoids `performance.now()`: Node 20 loads an extra module the first time it is used.
  return Number(process.hrtime.bigint()) / 1e6;
}
