/** Rate-limit buckets and their defaults. A deployment may override them (public.limits.override). */
export interface BucketDefault {
  /** Number of requests per window. */
  readonly limit: number;
  /** Length of a window, in seconds; it starts with the first request counted in it (D-window). */
  readonly windowSeconds: number;
}

export const buckets = {
  // public.limits.read, .write, .outbound
  read: { limit: 1000, windowSeconds: 60 },
  write: { limit: 200, windowSeconds: 60 }, // public.limits.write
  outbound_trigger: { limit: 60, windowSeconds: 3600 }, // public.limits.outbound
  // dist.limits.1: all authenticated endpoints of a key share this bucket.
  distributor: { limit: 60, windowSeconds: 60 },
  // D-legacy-limit
  legacy: { limit: 60, windowSeconds: 60 }, // legacy.limit
} as const satisfies Record<string, BucketDefault>;

export type Bucket = keyof typeof buckets;

/** public.limits.1: one outbound call per assistant in any window of this length. */
export const cooldownSeconds = 60;
