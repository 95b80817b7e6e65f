import type { ClientError } from "../../client/errors.js";
import { isClockStopped, type ReceivedDate, toReceivedDate } from "../../client/retry.js";

/** Longest random part of a wait. It prevents jobs that share an assistant from retrying at the same time. */
const jitterMilliseconds = 5_000;

/** The earlier refusals of a scenario's call. Times are in milliseconds. */
export interface Refusals {
  waited: number;
  last: ReceivedDate;
}

/**
 * Decides how long to wait after a refusal. The number of refusals is not limited, because other machines may use the
 * same assistant.
 * @param before the earlier refusals of the same call
 * @returns undefined if the call must fail, because the waits would exceed the maximum or waiting can't help
 */
export function planRefusalWait(
  error: ClientError,
  before: Refusals | undefined,
  { now, maximum, draw }: { now: number; maximum: number; draw(): number },
): { milliseconds: number; refusals: Refusals } | undefined {
  const { retryAfterMilliseconds: declared, response } = error;
  if (declared === undefined) return undefined;
  // No response means that the client did not send the request, because it knew that the limit was used up.
  const headers = response?.headers ?? {};
  const waited = (before?.waited ?? 0) + declared;
  if (waited > maximum || isClockStopped(headers, before?.last, now)) return undefined;
  const last = toReceivedDate(headers, now);
  return { milliseconds: declared + draw() * jitterMilliseconds, refusals: { waited, last } };
}
