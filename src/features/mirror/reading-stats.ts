import { readLimitHeaders } from "../../client/limit-headers.js";
import type { ClientEvent } from "../../client/types.js";
import type { Bucket } from "../../contract/limits.js";
import type { Progress } from "./mirror-emulator.js";

export interface ReadingStats {
  /** Number of requests, including those of processes that were interrupted. */
  reads: number;
  readonly latency: Record<string, number>;
  readonly limits: Partial<Record<Bucket, number>>;
  /** ID of the emulator state; null if the service is not an emulator. */
  emulatorId: string | null;
  readonly onEvent: (event: ClientEvent) => void;
}

/** @param bucket rate-limit bucket that the reads count toward */
export function createReadingStats(bucket: Bucket = "read"): ReadingStats {
  const stats: ReadingStats = {
    reads: 0,
    latency: {},
    limits: {},
    emulatorId: null,
    onEvent: (event) => {
      if (event.type === "request") stats.reads += 1;
      if (event.type !== "response") return;
      const milliseconds = String(Math.round(event.milliseconds));
      stats.latency[milliseconds] = (stats.latency[milliseconds] ?? 0) + 1;
      stats.emulatorId = event.header("x-emulator-world") ?? stats.emulatorId;
      const { limit } = readLimitHeaders(event.headers);
      if (limit !== undefined) stats.limits[bucket] = limit;
    },
  };
  return stats;
}

export function continueStats(stats: ReadingStats, { reads, latency, limits }: Progress): void {
  stats.reads += reads;
  for (const [milliseconds, count] of Object.entries(latency))
    stats.latency[milliseconds] = (stats.latency[milliseconds] ?? 0) + count;
  stats.limits.read ??= limits["read"];
  stats.limits.distributor ??= limits["distributor"];
}

/** Returns a quantile of the response times, in milliseconds. */
export function quantile(latency: Readonly<Record<string, number>>, share: number): number {
  const counts = Object.entries(latency)
    .map(([milliseconds, count]) => ({ milliseconds: Number(milliseconds), count }))
    .sort((left, right) => left.milliseconds - right.milliseconds);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { milliseconds, count } of counts) {
    seen += count;
    if (seen >= total * share) return milliseconds;
  }
  return 0;
}
