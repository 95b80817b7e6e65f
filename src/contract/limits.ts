/** Default rate limit of a bucket. A deployment can override this default (public.limits.override). */
export interface BucketDefault {
  readonly limit: number;
  /** Length of a window. A window starts with the first request that it counts (D-window). */
  readonly windowSeconds: number;
}

export const buckets = {
  // public.limits.read, .write, .outbound
  read: { limit: 1000, windowSeconds: 60 },
  write: { limit: 200, windowSeconds: 60 }, // public.limits.write
  outbound_trigger: { limit: 60, windowSeconds: 3600 }, // public.limits.outbound
  // All authenticated operations of the distributor APIs share this bucket, per key (dist.limits.1).
  distributor: { limit: 60, windowSeconds: 60 },
  // D-legacy-limit
  legacy: { limit: 60, windowSeconds: 60 }, // legacy.limit
} as const satisfies Record<string, BucketDefault>;

export type Bucket = keyof typeof buckets;

/** Minimum time between two outbound calls of one assistant (public.limits.1). */
export const cooldownSeconds = 60;
