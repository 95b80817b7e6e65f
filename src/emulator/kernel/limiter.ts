import type { Database } from "../../base/database.js";
import { type Bucket, buckets } from "../../contract/limits.js";

interface Window {
  startedAt: number;
  count: number;
}

export interface LimitState {
  limit: number;
  remaining: number;
  endsAt: number;
  allowed: boolean;
}

/** Counts requests in fixed windows, which start with the first counted request (D-window). */
export class Limiter {
  private windows = new Map<string, Window>();
  private readonly dirty = new Set<string>();

  constructor(
    private readonly database: Database,
    private overrides: Partial<Record<string, number>>,
  ) {}

  /** Replaces the default limits (public.limits.override). */
  configure(overrides: Partial<Record<string, number>>): void {
    this.overrides = overrides;
  }

  /** The key's own limits (`own`) take precedence. */
  findLimit(bucket: Bucket, own: Readonly<Record<string, number>> | null): number {
    return own?.[bucket] ?? this.overrides[bucket] ?? buckets[bucket].limit;
  }

  /**
   * Counts a request unless its window's limit is used up.
   * @param scope owner of the count, such as a key's ID
   * @param counter name under which the count is stored (default: the bucket's name)
   */
  take(
    scope: string,
    bucket: Bucket,
    now: number,
    own: Readonly<Record<string, number>> | null,
    counter: string = bucket,
  ): LimitState {
    const limit = this.findLimit(bucket, own);
    const length = buckets[bucket].windowSeconds * 1000;
    const name = `${scope} ${counter}`;
    let window = this.read(name, scope, counter);
    if (!window || now >= window.startedAt + length) {
      window = { startedAt: now, count: 0 };
      // A limit of 0 never opens a window.
      if (limit > 0) this.windows.set(name, window);
    }
    const allowed = window.count < limit; // public.errors.2a
    if (allowed) {
      window.count += 1;
      this.dirty.add(name);
    }
    return {
      limit,
      remaining: Math.max(0, limit - window.count),
      endsAt: window.startedAt + length,
      allowed,
    };
  }

  /** Removes a request from the count, for example because another limit is used up. */
  release(scope: string, counter: string): void {
    const name = `${scope} ${counter}`;
    const window = this.read(name, scope, counter);
    if (!window) return;
    if (window.count > 1) {
      window.count -= 1;
      this.dirty.add(name);
      return;
    }
    // No other request is counted in this window, so close the window again (D-window-counted).
    this.windows.delete(name);
    this.dirty.delete(name);
    this.database.prepare("DELETE FROM windows WHERE scope = ? AND bucket = ?").run(scope, counter);
  }

  /** Another process might have changed the file. */
  reload(): void {
    this.windows = new Map();
    this.dirty.clear();
  }

  flush(): void {
    for (const name of this.dirty) {
      const [scope = "", counter = ""] = name.split(" ");
      const window = this.windows.get(name);
      if (window) this.store(scope, counter, window);
    }
    this.dirty.clear();
  }

  private read(name: string, scope: string, counter: string): Window | undefined {
    const cached = this.windows.get(name);
    if (cached) return cached;
    const row = this.database
      .prepare("SELECT started_at, count FROM windows WHERE scope = ? AND bucket = ?")
      .get(scope, counter);
    if (!row) return undefined;
    const window = { startedAt: Number(row["started_at"]), count: Number(row["count"]) };
    this.windows.set(name, window);
    return window;
  }

  private store(scope: string, counter: string, window: Window): void {
    this.database
      .prepare(
        "INSERT INTO windows (scope, bucket, started_at, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET started_at = excluded.started_at, count = excluded.count",
      )
      .run(scope, counter, window.startedAt, window.count);
  }
}
