import { parseTime } from "../base/time-text.js";

/** Rate-limit information from a response. Times are Unix seconds on the server's clock. */
export interface LimitHeaders {
  limit?: number | undefined;
  remaining?: number | undefined;
  /** End of the window, rounded up. */
  reset?: number | undefined;
  date?: number | undefined;
  /**
   * `Retry-After` in milliseconds. If the header contains a date, it is compared with the response's `Date`.
   */
  retryAfterMilliseconds?: number | undefined;
}

/**
 * Reads the rate-limit headers and `Date` (public.limits.2, dist.limits.2). Missing and invalid values are
 * omitted.
 */
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

/** Tolerance for rounding: `Reset` is rounded up to a second, and `Date` is rounded down. */
const roundingMilliseconds = 2_000;

/**
 * Returns the possible remaining times of the window, in milliseconds, shortest first: one by the response's
 * `Date` and one by this machine's clock. Omits implausible times, because a clock may be wrong by hours.
 * @param wall time on this machine's clock
 * @param longest maximum length of a window, in milliseconds
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
