import type { Clock } from "../../base/clock.js";
import { parseTime } from "../../base/time-text.js";

/** Less is the network's way, and the whole second of a Date header. */
const leastSkewMilliseconds = 5_000;

/**
 * The service's present time, since results are full of its times: offline the world's clock, elsewhere this machine's,
 * put right by what the last answer's Date header says. Asks nothing of anybody.
 */
export function serviceTime(machine: Clock) {
  let clock = machine;
  let skew = 0;
  return {
    /** Milliseconds. */
    now: (): number => clock.now() + (clock === machine ? skew : 0),
    /** A service was opened, and this is what its client waits on. */
    reached(connected: Clock): void {
      clock = connected;
    },
    /** The Date header of an answer that just came. */
    heard(date: string | undefined): void {
      const apart = parseTime(date ?? "") - machine.now();
      if (!Number.isNaN(apart)) skew = Math.abs(apart) < leastSkewMilliseconds ? 0 : apart;
    },
  };
}
