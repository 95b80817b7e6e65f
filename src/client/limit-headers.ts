import { parseTime } from "../base/time-text.js";

/** Rate-limit information from a response. Times are Unix seconds on the server's clock. */
export interface LimitHeaders {
  limit?: number | undefined;
  remaining?: number | undefined;
  /** Rounded up. */
  reset?: number | undefined;
  /** The response's `Date`. */
  date?: number | undefined;
  /** `Retry-After` in milliseconds. If the header contains a date, the value is the time from the response's `Date` to that date. */
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

/** A declared end may be up to this much too late: `Reset` is rounded up and `Date` is rounded down, both to whole seconds. */
const roundingMilliseconds = 2_000;

/**
 * Returns the window's possible remaining times, shortest first: by the response's `Date` and, if plausible, by this machine's clock.
 * Either clock may be wrong by hours, so times beyond the longest possible window are dropped.
 * @param wall time on this machine's clock
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
