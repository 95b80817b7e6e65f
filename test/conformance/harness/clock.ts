import { setMaxListeners } from "node:events";
import type { Clock } from "../../../src/base/clock.js";

interface Timer {
  at: number;
  order: number;
  wake: () => void;
}

/** Types of asynchronous operations that take no time on the clock. */
const working = /^(FSReq|Zlib|GetAddrInfo|PBKDF2|Scrypt|Hash|FileHandleClose|Dir)/;
/** Time advances after this many turns of the event loop without activity. */
const quietTurns = 3;
/** Time advances after this many turns even if the process is never idle. */
const mostTurns = 2_000;

/**
 * When all sleepers sleep and no other work is in progress, the time advances to the earliest end of a sleep.
 */
export function createTestClock(start = Date.UTC(2026, 2, 2, 9, 0, 0, 250)): Clock {
  let now = start;
  let order = 0;
  let turning = false;
  let stirred = 0;
  const timers: Timer[] = [];

  function turn(quiet: number, turns: number, seen: number): void {
    setImmediate(() => {
      if (timers.length === 0) {
        turning = false;
        return;
      }
      const isBusy = stirred !== seen || process.getActiveResourcesInfo().some((name) => working.test(name));
      if (turns < mostTurns && (isBusy || quiet < quietTurns)) {
        turn(isBusy ? 0 : quiet + 1, turns + 1, stirred);
        return;
      }
      const first = timers.reduce((earliest, timer) =>
        timer.at < earliest.at || (timer.at === earliest.at && timer.order < earliest.order)
          ? timer
          : earliest,
      );
      timers.splice(timers.indexOf(first), 1);
      now = Math.max(now, first.at);
      first.wake();
      turn(0, 0, stirred);
    });
  }

  return {
    now: () => now,
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        stirred += 1;
        order += 1;
        const abort = () => {
          const at = timers.indexOf(timer);
          if (at >= 0) timers.splice(at, 1);
          reject(signal?.reason);
        };
        const timer: Timer = {
          at: now + Math.max(0, milliseconds),
          order,
          wake: () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        // Each request in flight listens to the command's signal, so the number of listeners is unlimited.
        if (signal) setMaxListeners(0, signal);
        signal?.addEventListener("abort", abort, { once: true });
        timers.push(timer);
        if (!turning) {
          turning = true;
          turn(0, 0, stirred);
        }
      });
    },
  };
}
