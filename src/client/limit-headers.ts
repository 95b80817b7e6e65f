/** What an answer says about its bucket. Counts in requests, times in seconds of the server's clock. */
export interface LimitHeaders {
  limit?: number | undefined;
  remaining?: number | undefined;
  /** Unix seconds, rounded up. */
  reset?: number | undefined;
  /** Unix seconds of the answer's `Date`. */
  date?: number | undefined;
  /** `Retry-After` in milliseconds; a date in it is taken against the answer's `Date`. */
  retryAfterMilliseconds?: number | undefined;
}

/** Reads public.limits.2, dist.limits.2 and `Date`; what is missing or makes no sense is left out. */
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

/** How long the server's window still lasts by its own clock; never less than it truly does. */
export function untilReset(headers: LimitHeaders): number | undefined {
  if (headers.reset === undefined || headers.date === undefined) return undefined;
  return Math.max(0, headers.reset - headers.date) * 1000;
}

function count(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value.trim()) ? Number(value) : undefined;
}

function seconds(value: string | undefined): number | undefined {
  const milliseconds = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

function retryAfter(value: string | undefined, date: number | undefined): number | undefined {
  const delay = count(value);
  if (delay !== undefined) return delay * 1000;
  const at = seconds(value);
  return at === undefined || date === undefined ? undefined : Math.max(0, at - date) * 1000;
}
