import { setMaxListeners } from "node:events";
import type { Clock } from "../../src/base/clock.js";

interface Timer {
  at: number;
  wake: () => void;
}

/** Time advances to the earliest timer when all tasks sleep. `now` may be wrong; `elapsed` is correct. */
export function createVirtualTime(dateOf: (elapsed: number) => number = (elapsed) => startDate + elapsed) {
  let elapsed = 0;
  const timers: Timer[] = [];
  const clock: Clock = {
    now: () => dateOf(elapsed),
    elapsed: () => elapsed,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const timer = { at: elapsed + Math.max(0, milliseconds), wake: resolve };
        if (signal) setMaxListeners(0, signal);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        timers.push(timer);
      }),
  };
  async function run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    for (;;) {
      // Lets runnable tasks run before time advances.
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return work;
      let first: Timer | undefined;
      for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
      if (first === undefined) continue;
      timers.splice(timers.indexOf(first), 1);
      elapsed = Math.max(elapsed, first.at);
      first.wake();
    }
  }
  return { clock, run, elapsed: () => elapsed };
}

/** The correct start time, from which a machine's clock may differ. */
export const startDate = Date.UTC(2026, 2, 2, 9) + 437;
