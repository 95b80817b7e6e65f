import { type Clock, stopwatch } from "../base/clock.js";
import { ClientError } from "./errors.js";

const firstPauseMilliseconds = 2_000;
const longestPauseMilliseconds = 60_000;

export function outagePause(failures: number): number {
  return Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longestPauseMilliseconds);
}

interface OutageOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Monotonic time after which the read is not retried. */
  deadline: number;
  /** Called once, after the first failed attempt. */
  onOutage: (error: ClientError) => void;
}

/**
 * Retries a read with increasing pauses, so that a short outage does not end a command.
 * @throws the read's error if it is permanent or the deadline was reached; the signal's reason if aborted
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

/** Returns whether an error is temporary and the request certainly changed nothing. */
export function isPassing(error: unknown): error is ClientError {
  if (!(error instanceof ClientError) || !error.retryable || error.outcome === "unknown") return false;
  const { type, status = 0 } = error;
  return type !== "api" || status === 429 || status < 400 || status >= 500;
}
