import { setMaxListeners } from "node:events";

/** Longest delay that a Node timer supports. A timer with a longer delay fires immediately. */
export const longestTimer = 2 ** 31 - 1;

/** Like `AbortSignal.timeout`, but shortens a longer time to 24 days. */
export function abortAfter(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.min(milliseconds, longestTimer));
}

/** Adds an abort listener, without Node's warning about many listeners on one signal. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
}

/**
 * Aborting the signal ends the wait, not the work.
 * @throws the signal's reason when the signal is aborted
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = waitForAbort(signal).then(() => {
    throw signal.reason;
  });
  return Promise.race([work, aborted]);
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => onAbort(signal, resolve));
}
