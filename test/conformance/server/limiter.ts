import type { Bucket, BucketName } from "./behavior.js";
import { Refusal } from "./exchange.js";
import type { Setting } from "./service-state.js";

const documented: Record<BucketName, Bucket> = {
  read: { limit: 1000, seconds: 60 },
  write: { limit: 200, seconds: 60 },
  outbound_trigger: { limit: 60, seconds: 3600 },
  distributor: { limit: 60, seconds: 60 },
  legacy: { limit: 60, seconds: 60 },
};

export interface Limiter {
  /**
   * Counts a request. Returns the headers of its response.
   * @throws Refusal 429
   */
  count(name: BucketName): Record<string, string>;
  /** Refused requests by bucket and window, for tests of request pacing. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** A window starts with the first request that is counted in it. */
export function createLimiter(setting: Setting): Limiter {
  const { behavior, now, speed } = setting;
  const windows = new Map<BucketName, { start: number; count: number }>();
  const refusals = new Map<string, number>();
  let counted = 0;
  let responseCount = 0;

  const bucketOf = (name: BucketName): Bucket => {
    const { buckets, bucketsLater } = behavior;
    const later = bucketsLater && counted >= bucketsLater.after ? bucketsLater.buckets[name] : undefined;
    return later ?? buckets[name] ?? documented[name];
  };

  return {
    refusals,
    count(name) {
      const bucket = bucketOf(name);
      const length = (bucket.seconds * 1000) / speed;
      const known = windows.get(name);
      const window = known && now() < known.start + length ? known : { start: now(), count: 0 };
      windows.set(name, window);
      const refused = window.count >= bucket.limit;
      const endsAt = window.start + length;
      const headers = headersOf(name, bucket, { window, endsAt, refused });
      counted += 1;
      if (refused) {
        const key = `${name} ${window.start}`;
        refusals.set(key, (refusals.get(key) ?? 0) + 1);
        const code =
          name === "distributor"
            ? "RATE_LIMITED"
            : name === "legacy"
              ? "RATE_LIMIT_EXCEEDED"
              : "rate_limit_exceeded";
        throw new Refusal(429, code, "too many requests", [], headers);
      }
      window.count += 1;
      return headers;
    },
  };

  function headersOf(
    name: BucketName,
    bucket: Bucket,
    { window, endsAt, refused }: { window: { count: number }; endsAt: number; refused: boolean },
  ): Record<string, string> {
    responseCount += 1;
    const left = endsAt - now();
    const seconds = Math.max(1, Math.ceil(left / 1000));
    const serverNow = now() + behavior.clockOff;
    const retryAfter =
      behavior.retryAfter === "seconds"
        ? String(seconds)
        : new Date(serverNow + seconds * 1000).toUTCString();
    const all: Record<string, string> = {
      "x-ratelimit-limit": String(bucket.limit),
      "x-ratelimit-remaining": String(Math.max(0, bucket.limit - window.count - (refused ? 0 : 1))),
      "x-ratelimit-reset": String(Math.ceil((serverNow + left) / 1000)),
      // Distributor responses always have Retry-After (dist.limits.2).
      ...(refused || name === "distributor" ? { "retry-after": retryAfter } : {}),
    };
    const only = (...names: string[]) =>
      Object.fromEntries(Object.entries(all).filter(([header]) => names.includes(header)));
    switch (behavior.limitHeaders) {
      case "all":
        return all;
      case "none":
        return {};
      case "sometimes":
        return responseCount % 3 === 0 ? all : {};
      case "Retry-After only":
        return only("retry-after");
      case "Reset only":
        return only("x-ratelimit-reset");
    }
  }
}
