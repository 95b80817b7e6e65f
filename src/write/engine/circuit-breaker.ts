import type { Clock } from "../../base/clock.js";
import { ClientError, tooLargeCode } from "../../client/errors.js";

const failuresBeforePause = 5;
/** Longest pause during an outage. The pause is shorter if the longest allowed outage is short. */
const longestPauseMilliseconds = 60_000;
const pausesPerOutage = 10;

export interface CircuitBreaker {
  succeeded(): void;
  failed(error: ClientError): void;
  /** Whether requests must wait until `wait` resolves. */
  readonly isOpen: boolean;
  /** Whether the next request must be sent alone, to test the connection. */
  readonly isTesting: boolean;
  /**
   * Waits until the current pause ends.
   * @throws the last failure if the outage is too long; the signal's reason
   */
  wait(): Promise<void>;
  /**
   * Runs a read, and repeats it during an outage.
   * @throws a network error before the service's first response; an error for a response that is too large;
   * any other error that is not an outage; the errors of `wait`
   */
  through<T>(work: () => Promise<T>): Promise<T>;
}

interface CircuitBreakerParts {
  clock: Clock;
  signal: AbortSignal;
  elapsed(): number;
  /** Longest outage, in milliseconds, before the run stops. */
  outageMilliseconds: number;
  onPause: (milliseconds: number, cause: ClientError) => void;
}

/** A rejected request is not an outage. */
export function isOutage(error: ClientError): boolean {
  return error.type === "network" || (error.type === "api" && (error.status ?? 0) >= 500);
}

/** Pauses a run after repeated failures, so that the remaining items don't fail too. */
export function createCircuitBreaker({
  clock,
  signal,
  elapsed,
  outageMilliseconds,
  onPause,
}: CircuitBreakerParts): CircuitBreaker {
  let failures = 0;
  let since = 0;
  let isOpen = false;
  let hasResponded = false;
  let last: ClientError | undefined;
  const breaker: CircuitBreaker = {
    succeeded() {
      hasResponded = true;
      failures = 0;
      isOpen = false;
    },
    failed(error) {
      if (!isOutage(error)) return breaker.succeeded();
      if (failures === 0) since = elapsed();
      failures += 1;
      last = error;
      if (failures >= failuresBeforePause) isOpen = true;
    },
    get isOpen() {
      return isOpen;
    },
    get isTesting() {
      return failures >= failuresBeforePause;
    },
    async wait() {
      const cause = last;
      // If another request has succeeded in the meantime, don't wait.
      if (cause === undefined || !isOpen) return;
      const left = since + outageMilliseconds - elapsed();
      if (left <= 0) throw cause;
      const pause = Math.min(longestPauseMilliseconds, outageMilliseconds / pausesPerOutage, left);
      onPause(pause, cause);
      await clock.sleep(pause, signal);
      isOpen = false;
    },
    async through(work) {
      for (;;) {
        try {
          const result = await work();
          breaker.succeeded();
          return result;
        } catch (error) {
          if (!(error instanceof ClientError) || error.outcome !== "none") throw error;
          if (!isOutage(error)) {
            breaker.succeeded();
            throw error;
          }
          // Don't retry: the response would be too large again.
          if (error.code === tooLargeCode) throw error;
          // If the service has never responded, its address may be wrong, so don't retry.
          if (!hasResponded && error.type === "network" && error.status === undefined) throw error;
          breaker.failed(error);
          isOpen = true;
          await breaker.wait();
        }
      }
    },
  };
  return breaker;
}
