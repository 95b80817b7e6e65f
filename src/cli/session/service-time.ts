import type { Clock } from "../../base/clock.js";
import { parseTime } from "../../base/time-text.js";

/**
 * Smallest difference between the clocks that is corrected. Latency and the Date header's resolution of one
 * second can cause smaller differences.
 */
const leastSkewMilliseconds = 5_000;

/**
 * Estimates the service's current time without a request. Offline, returns the emulator's time. Otherwise,
 * returns the machine's time, corrected by the last response's Date header.
 */
export function serviceTime(machine: Clock) {
  let clock = machine;
  let skew = 0;
  return {
    /** Returns the service's time in milliseconds. */
    now: (): number => clock.now() + (clock === machine ? skew : 0),
    /** Uses the client's clock from now on. */
    reached(connected: Clock): void {
      clock = connected;
    },
    heard(date: string | undefined): void {
      const apart = parseTime(date ?? "") - machine.now();
      if (!Number.isNaN(apart)) skew = Math.abs(apart) < leastSkewMilliseconds ? 0 : apart;
    },
  };
}
