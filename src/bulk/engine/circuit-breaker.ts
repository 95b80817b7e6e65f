import type { Clock } from "../../base/clock.js";
import { ClientError, tooLargeCode } from "../../client/errors.js";

const failuresBeforePause = 5;
/** T14: one request a minute while the service is out of reach; more often only where the outage may last less. */
const longestPauseMilliseconds = 60_000;
const pausesPerOutage = 10;

/** Stops sending while the connection, or the service, fails again and again. */
export interface CircuitBreaker {
  /** A request was answered. */
  succeeded(): void;
  failed(error: ClientError): void;
  /** Nothing is to be sent before `wait`. */
  readonly isOpen: boolean;
  /** After a pause one request goes ahead of the others. */
  readonly isTesting: boolean;
  /** @throws the last failure when the outage has lasted as long as it may; the signal's reason */
  wait(): Promise<void>;
  /**
   * Does something that changes nothing when it fails, as often as it takes.
   * @throws what fails for another reason than an outage, or before anything was ever answered; as `wait`
   */
  through<T>(work: () => Promise<T>): Promise<T>;
}

interface CircuitBreakerParts {
  clock: Clock;
  signal: AbortSignal;
  /** A stopwatch's reading. */
  elapsed(): number;
  /** How long an outage may last. */
  outageMilliseconds: number;
  onPause: (milliseconds: number, cause: ClientError) => void;
}

/** Is the service out of reach? What it refuses it has answered. */
export function isOutage(error: ClientError): boolean {
  return error.type === "network" || (error.type === "api" && (error.status ?? 0) >= 500);
}

/** Failures in a row lead to pauses instead of using up the input. */
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
      // A request that was still under way has succeeded meanwhile.
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
          // T22: it answers, and would answer the same again.
          if (error.code === tooLargeCode) throw error;
          // A service that never answered may have another address.
          if (!hasResponded && error.type === "network" && error.status === undefined) throw error;
          breaker.failed(error);
          // The client has tried a few times already.
          isOpen = true;
          await breaker.wait();
        }
      }
    },
  };
  return breaker;
}
