import { type Clock, withSleep } from "../../base/clock.js";
import type { ClientEvent, ClientOptions } from "../../client/types.js";

export interface RequestStats {
  requests: number;
  /** Number of responses with status 429. */
  rateLimited: number;
  // plain-words: allow term-world
  /** ID of the emulator state from the last response; null for a deployment. */
  emulatorId: string | null;
  readonly onEvent: (event: ClientEvent) => void;
}

export function createRequestStats(): RequestStats {
  const stats: RequestStats = {
    requests: 0,
    rateLimited: 0,
    emulatorId: null,
    onEvent: (event) => {
      if (event.type === "request") stats.requests += 1;
      if (event.type === "withdrawn") stats.requests -= 1;
      if (event.type !== "response") return;
      if (event.status === 429) stats.rateLimited += 1;
      stats.emulatorId = event.header("x-emulator-world") ?? stats.emulatorId;
    },
  };
  return stats;
}

/**
 * The client waits for the rate limit as long as necessary. The signal aborts this wait, but never a request
 * in flight.
 */
export function bulkClientOptions(
  base: ClientOptions,
  stats: RequestStats,
  { signal, maxWaitMilliseconds }: { signal: AbortSignal; maxWaitMilliseconds?: number | undefined },
): ClientOptions {
  return {
    ...base,
    clock: interruptible(base.clock, signal),
    maxWaitMilliseconds: maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
    onEvent: (event) => {
      base.onEvent?.(event);
      stats.onEvent(event);
    },
  };
}

function interruptible(clock: Clock, signal: AbortSignal): Clock {
  const sleep: Clock["sleep"] = (milliseconds, inner) =>
    clock.sleep(milliseconds, inner === undefined ? signal : AbortSignal.any([inner, signal]));
  return { ...withSleep(clock, sleep), skipsWaits: clock.skipsWaits === true };
}
