import { parseTime } from "../base/time-text.js";

/** The rate-limit information in a response. Counts are in requests, times in seconds of the server's clock. */
export interface LimitHeaders {
  limit?: number | undefined;
  remaining?: number | undefined;
  /** Unix seconds, rounded up. */
  reset?: number | undefined;
  /** The response's `Date`, in Unix seconds. */
  date?: number | undefined;
  /** `Retry-After` in milliseconds; a date in it is relative to the response's `Date`. */
  retryAfterMilliseconds?: number | undefined;
}

/** Reads the rate-limit headers and `Date` (public.limits.2, dist.limits.2). Missing and invalid values are omitted. */
export function readLimitHeaders(headers: Readonly<Record<string, string>>): LimitHeaders {
  const date = seconds(headers["date"]);
  return {
    limit: count(headers["x-ratelimit-limit"]),
    remaining: count(headers["x-ratelimit-remaining"]),
    reset: count(headers["x-ratelimit-reset"]),
    date,
    retryAfterMilliseconds: retryAfter(headers["retry-after"], date),
  };
}

/** Largest delay of a declared end, because `Reset` is rounded up and `Date` is rounded down to whole seconds. */
const roundingMilliseconds = 2_000;

/**
 * Returns the remaining time of the window by the response's `Date` and by this machine's clock, if `Reset` is plausible by that clock.
 * Either clock may be wrong by hours, so values beyond the longest possible window are dropped. The smallest value comes first.
 * @param wall time of this machine's clock, in milliseconds
 */
export function resetReadings({ reset, date }: LimitHeaders, wall: number, longest: number): number[] {
  if (reset === undefined) return [];
  const readings = [reset * 1000 - wall, ...(date === undefined ? [] : [(reset - date) * 1000])];
  return readings
    .filter((left) => left >= 0 && left <= longest + roundingMilliseconds)
    .map((left) => Math.min(left, longest))
    .sort((left, right) => left - right);
}

function count(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : undefined;
}

function seconds(value: string | undefined): number | undefined {
  const milliseconds = value === undefined ? Number.NaN : parseTime(value);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

function retryAfter(value: string | undefined, date: number | undefined): number | undefined {
  const delay = count(value);
  if (delay !== undefined) return delay * 1000;
  const at = seconds(value);
  return at === undefined || date === undefined ? undefined : Math.max(0, at - date) * 1000;
}
