import type { Clock } from "../../base/clock.js";
import type { ClientError } from "../../client/errors.js";

const failuresBeforePause = 5;
const firstPauseMilliseconds = 5_000;
const longestPauseMilliseconds = 5 * 60_000;
const patienceMilliseconds = 60 * 60_000;

export interface Patience {
  /** A request was answered as it should be. */
  succeeded(): void;
  failed(error: ClientError): void;
  /** How long nothing is to be sent; 0 while all is well. */
  readonly pauseMilliseconds: number;
  /** After a pause one request goes ahead of the others. */
  readonly anxious: boolean;
  /** @throws the last failure when there was none but failures for an hour; the signal's reason */
  wait(): Promise<void>;
}

interface PatienceParts {
  clock: Clock;
  signal: AbortSignal;
  onPause: (milliseconds: number, cause: ClientError) => void;
}

/** Failures of the connection, or of the service, in a row: a growing pause instead of burning the input. */
export function createPatience({ clock, signal, onPause }: PatienceParts): Patience {
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
    get anxious() {
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
      if (waited >= patienceMilliseconds) throw cause;
      waited += pause;
      onPause(pause, cause);
      await clock.sleep(pause, signal);
      pause = 0;
    },
  };
}
