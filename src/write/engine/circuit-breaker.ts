import type { Clock } from "../../base/clock.js";
import { ClientError, tooLargeCode } from "../../client/errors.js";

const failuresBeforePause = 5;
/**
 * One request per minute during an outage; more often only if the longest allowed outage is shorter.
 */
const longestPauseMilliseconds = 60_000;
const pausesPerOutage = 10;

/** Pauses sending while the connection or the service keeps failing. */
export interface CircuitBreaker {
  /** A request received a response. */
  succeeded(): void;
  failed(error: ClientError): void;
  /** Nothing may be sent before `wait` resolves. */
  readonly isOpen: boolean;
  /** After a pause, a single request is sent before the others. */
  readonly isTesting: boolean;
  /** @throws the last failure if the outage lasts too long; the signal's reason */
  wait(): Promise<void>;
  /**
   * Retries a call without side effects until it succeeds.
   * @throws an error that is not an outage, or that occurs before the first response; see also `wait`
   */
  through<T>(work: () => Promise<T>): Promise<T>;
}

interface CircuitBreakerParts {
  clock: Clock;
  signal: AbortSignal;
  /** A stopwatch's reading. */
  elapsed(): number;
  /** Longest outage, in milliseconds, before the run stops. */
  outageMilliseconds: number;
  onPause: (milliseconds: number, cause: ClientError) => void;
}

/** Returns whether the service can't be reached. A refusal is a response. */
export function isOutage(error: ClientError): boolean {
  return error.type === "network" || (error.type === "api" && (error.status ?? 0) >= 500);
}

/** Pause after repeated failures instead of using up the input. */
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
      // A concurrent request has succeeded in the meantime.
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
          // The service would send the same response again (T22).
          if (error.code === tooLargeCode) throw error;
          // If the service never responded, its address may be wrong.
          if (!hasResponded && error.type === "network" && error.status === undefined) throw error;
          breaker.failed(error);
          // The client has already retried.
          isOpen = true;
          await breaker.wait();
        }
      }
    },
  };
  return breaker;
}
