import { setMaxListeners } from "node:events";

/**
 * Calls the listener when the signal is aborted. Unlike `addEventListener`, it can be used for many requests on one signal without a memory
 * leak or a warning from Node.
 */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
}

/**
 * Waits for `work` until the signal is aborted. The work itself continues.
 * @throws the signal's reason when the signal is aborted
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
