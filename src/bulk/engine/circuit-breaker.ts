import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";

const failuresBeforePause = 5;
const firstPauseMilliseconds = 5_000;
const longestPauseMilliseconds = 5 * 60_000;
const timeoutMilliseconds = 60 * 60_000;

/** Stops sending while the connection, or the service, fails again and again. */
export interface CircuitBreaker {
  /** A request was answered as it should be. */
  succeeded(): void;
  failed(error: ClientError): void;
  /** How long nothing is to be sent; 0 while all is well. */
  readonly pauseMilliseconds: number;
  /** After a pause one request goes ahead of the others. */
  readonly isTesting: boolean;
  /** @throws the last failure when nothing but failures came for an hour; the signal's reason */
  wait(): Promise<void>;
}

interface CircuitBreakerParts {
  clock: Clock;
  signal: AbortSignal;
  onPause: (milliseconds: number, cause: ClientError) => void;
}

/** Failures in a row lead to a growing pause instead of using up the input. */
export function createCircuitBreaker({ clock, signal, onPause }: CircuitBreakerParts): CircuitBreaker {
  let failures = 0;
  let pause = 0;
  let nextPause = firstPauseMilliseconds;
  let waited = 0;
  let last: ClientError | undefined;
  const succeeded = () => {
    failures = 0;
    pause = 0;
    nextPause = firstPauseMilliseconds;
    waited = 0;
  };
  return {
    succeeded,
    get pauseMilliseconds() {
      return pause;
    },
    get isTesting() {
      return failures >= failuresBeforePause;
    },
    failed(error: ClientError) {
      const counts = error.kind === "network" || (error.status ?? 0) >= 500;
      if (!counts) return succeeded();
      failures += 1;
      last = error;
      if (failures >= failuresBeforePause && pause === 0) {
        pause = nextPause;
        nextPause = Math.min(nextPause * 2, longestPauseMilliseconds);
      }
    },
    async wait() {
      const cause = last;
      // What was still under way has succeeded meanwhile.
      if (cause === undefined || pause === 0) return;
      if (waited >= timeoutMilliseconds) throw cause;
      waited += pause;
      onPause(pause, cause);
      await clock.sleep(pause, signal);
      pause = 0;
    },
  };
}
