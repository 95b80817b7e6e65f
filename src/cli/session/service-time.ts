import type { Clock } from "../../base/clock.js";
import { parseTime } from "../../base/time-text.js";

/** Smaller differences are ignored: latency and the Date header's resolution of one second can cause them. */
const leastSkewMilliseconds = 5_000;

/**
 * Tracks the service's current time without sending requests: offline the emulator's clock, otherwise the
 * machine's clock, corrected by the Date header of the last response.
 */
export function serviceTime(machine: Clock) {
  let clock = machine;
  let skew = 0;
  return {
    /** Milliseconds. */
    now: (): number => clock.now() + (clock === machine ? skew : 0),
    /** Switches to the client's clock, which exists once the client is connected. */
    reached(connected: Clock): void {
      clock = connected;
    },
    /** Updates the time from a response's Date header. */
    heard(date: string | undefined): void {
      const apart = parseTime(date ?? "") - machine.now();
      if (!Number.isNaN(apart)) skew = Math.abs(apart) < leastSkewMilliseconds ? 0 : apart;
    },
  };
}
