/** The state of a limit ("Limits", D-window). */
export interface LimitState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
  /** Whole seconds, at least 1. */
  retryAfter: number;
}

export type Bucket = "read" | "write" | "outbound_trigger";

const lengths: Record<Bucket, number> = { read: 60_000, write: 60_000, outbound_trigger: 3_600_000 };

/** Fixed windows that start with the first request counted in them, one per key and bucket. */
export class ModelLimiter {
  private readonly windows = new Map<string, { start: number; count: number }>();
  constructor(private readonly limits: Record<Bucket, number>) {}

  take(key: string, bucket: Bucket, now: number, limits = this.limits): LimitState {
    const name = `${key} ${bucket}`;
    const last = this.windows.get(name);
    const window = last && now < last.start + lengths[bucket] ? last : { start: now, count: 0 };
    this.windows.set(name, window);
    const limit = limits[bucket];
    const allowed = window.count < limit;
    if (allowed) window.count += 1;
    const end = window.start + lengths[bucket];
    return {
      allowed,
      limit,
      remaining: limit - window.count,
      reset: Math.ceil(end / 1000),
      retryAfter: Math.max(1, Math.ceil((end - now) / 1000)),
    };
  }
}
