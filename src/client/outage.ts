import { type Clock, stopwatch } from "../base/clock.js";
import { ClientError } from "./errors.js";

const firstPauseMilliseconds = 2_000;
const longestPauseMilliseconds = 60_000;

/** Returns the pause after the given number of consecutive failures, counted from 1. */
export function outagePause(failures: number): number {
  return Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longestPauseMilliseconds);
}

interface OutageOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Monotonic time after which the read is no longer repeated. */
  deadline: number;
  /** Called once, after the first failed attempt. */
  onOutage: (error: ClientError) => void;
}

/**
 * Repeats a read until it succeeds or the deadline is near, so that a short outage does not end a command. The pauses increase up to a
 * minute. @throws the read's error if it is permanent or the deadline was reached; the signal's reason
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

/** Returns whether an error is temporary, such as a network failure, a server error or a used-up limit, and the request changed nothing. */
export function isPassing(error: unknown): error is ClientError {
  if (!(error instanceof ClientError) || !error.retryable || error.outcome === "unknown") return false;
  const { type, status = 0 } = error;
  return type !== "api" || status === 429 || status < 400 || status >= 500;
}
