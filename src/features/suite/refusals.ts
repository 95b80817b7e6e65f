import type { ClientError } from "../../client/errors.js";
import { isClockStopped, type ReceivedDate, toReceivedDate } from "../../client/retry.js";

/**
 * Longest random part of a wait. The random part prevents jobs with the same assistant from retrying at the
 * same time.
 */
const jitterMilliseconds = 5_000;

/** Earlier refusals of one call. Times are in milliseconds. */
export interface Refusals {
  waited: number;
  last: ReceivedDate;
}

/**
 * Decides how long to wait after a refused call. The number of refusals is not limited, because other
 * machines may use the same assistant.
 * @param before earlier refusals of the same call
 * @returns undefined if waiting can't help or would exceed the maximum
 */
export function planRefusalWait(
  error: ClientError,
  before: Refusals | undefined,
  { now, maximum, draw }: { now: number; maximum: number; draw(): number },
): { milliseconds: number; refusals: Refusals } | undefined {
  const { retryAfterMilliseconds: declared, response } = error;
  if (declared === undefined) return undefined;
  // If there is no response, the client did not send the request, because the rate limit was used up.
  const headers = response?.headers ?? {};
  const waited = (before?.waited ?? 0) + declared;
  if (waited > maximum || isClockStopped(headers, before?.last, now)) return undefined;
  const last = toReceivedDate(headers, now);
  const jitter = draw() * Math.min(jitterMilliseconds, maximum - waited);
  return { milliseconds: declared + jitter, refusals: { waited: waited + jitter, last } };
}
