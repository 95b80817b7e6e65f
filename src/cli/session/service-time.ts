import type { Clock } from "../../base/clock.js";
import { parseTime } from "../../base/time-text.js";

/** Latency and the Date header's resolution of one second can cause smaller differences. */
const leastSkewMilliseconds = 5_000;

/**
 * Returns the emulator's time if offline, otherwise the machine's time, corrected by the last response's Date
 * header.
 */
export function serviceTime(machine: Clock) {
  let clock = machine;
  let skew = 0;
  return {
    now: (): number => clock.now() + (clock === machine ? skew : 0),
    reached(connected: Clock): void {
      clock = connected;
    },
    heard(date: string | undefined): void {
      const apart = parseTime(date ?? "") - machine.now();
      if (!Number.isNaN(apart)) skew = Math.abs(apart) < leastSkewMilliseconds ? 0 : apart;
    },
  };
}
