import { type Clock, stopwatch } from "../../../../base/clock.js";
import { isClockStopped, type ReceivedDate, toReceivedDate } from "../../../../client/retry.js";

const stoppedClockNote =
  "The emulator's clock is stopped, so calls can't end. To advance it, run `voxctl emulator clock +60s`. For a running clock, start the emulator without --clock virtual.";

/**
 * Prints one note if response headers show that an emulator's clock is stopped while calls are in progress.
 */
export function createStoppedClockCheck(
  clock: Clock,
  note: (text: string) => void,
): (headers: Readonly<Record<string, string>>) => void {
  let last: ReceivedDate | undefined;
  let isNoted = false;
  return (headers) => {
    if (isNoted) return;
    const received = toReceivedDate(headers, stopwatch(clock));
    isNoted = isClockStopped(headers, last, received.at);
    if (isNoted) note(stoppedClockNote);
    if (received.date !== last?.date) last = received;
  };
}
