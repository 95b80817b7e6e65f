import { setMaxListeners } from "node:events";

/**
 * Calls the listener once when the signal is aborted. Many requests can listen to one command's signal without a leak
 * or a warning from Node.
 */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
}

/**
 * Returns the result of work. The work is not stopped by an abort.
 * @throws the signal's reason as soon as the signal is aborted
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = waitForAbort(signal).then(() => {
    throw signal.reason;
  });
  return Promise.race([work, aborted]);
}

/** Resolves when the signal is aborted. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => onAbort(signal, resolve));
}
