import { type Clock, stopwatch } from "../../base/clock.js";
import { ClientError } from "../../client/errors.js";
import { toClientExit } from "../errors/exit-codes.js";

const firstPauseMilliseconds = 2_000;
const longestPauseMilliseconds = 60_000;

/** How long to leave a service alone that failed so many times in a row, from 1. */
export function outagePause(failures: number): number {
  return Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longestPauseMilliseconds);
}

interface OutageOptions {
  clock: Clock;
  signal: AbortSignal;
  /** When nothing is waited for any more, by the clock's stopwatch. */
  deadline: number;
  /** Told once, when the first attempt failed. */
  onOutage: (error: ClientError) => void;
}

/**
 * Reads until it works or the deadline is near (T14): an outage ends no command that was given time. The pauses grow to
 * a minute.
 * @throws the read's error, where it does not pass or the time is up; the signal's reason
 */
export async function readThroughOutage<T>(
  read: () => Promise<T>,
  { clock, signal, deadline, onOutage }: OutageOptions,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      const left = deadline - stopwatch(clock);
      if (signal.aborted || !isPassing(error) || left <= 0) throw error;
      if (failures === 1) onOutage(error);
      await clock.sleep(Math.min(outagePause(failures), left), signal);
    }
  }
}

/** The network, a server's failure, a limit: nothing was changed, and the same may work later. */
export function isPassing(error: unknown): error is ClientError {
  return error instanceof ClientError && error.retryable && [7, 9].includes(toClientExit(error));
}
