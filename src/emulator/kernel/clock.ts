import type { Clock } from "../../base/clock.js";
import type { Database } from "../../base/database.js";
import { parseTime } from "../../base/time-text.js";

export type ClockMode = "real" | "virtual";

/**
 * A year after 1970, because an ID contains the seconds since 1970, and demo data can be weeks older than the
 * clock's start (D-id).
 */
const firstTime = parseTime("1971-01-01T00:00:00Z");
const lastTime = parseTime("2100-01-01T00:00:00Z");

export function isEmulatorTime(milliseconds: number): boolean {
  return milliseconds >= firstTime && milliseconds <= lastTime;
}

/**
 * `real`: the system clock plus an offset. `virtual`: the time changes only when a client moves it. The
 * clock's state is in the database, so that all processes read the same time. Only a restore moves the clock
 * back.
 */
export class EmulatorClock implements Clock {
  readonly skipsWaits = true;
  private mode: ClockMode = "real";
  private offset = 0;
  private frozen = 0;
  /** Latest time that this process returned, or that another process stored. */
  private latest = 0;
  private kept = 0;
  private drift = 0;
  /** Part of the offset that `sleep` added and `keep` has not stored yet. */
  private slept = 0;

  constructor(
    private readonly database: Database,
    private readonly system: Clock,
  ) {
    this.reload();
  }

  /** Another process might have changed the clock. */
  reload(): void {
    const row = this.database
      .prepare("SELECT clock_mode, clock_offset, clock_frozen, clock_latest FROM world")
      .get();
    this.mode = row?.["clock_mode"] === "virtual" ? "virtual" : "real";
    // Another process can have changed the mode, which starts from the stored time.
    if (this.mode === "virtual") this.slept = 0;
    this.offset = Number(row?.["clock_offset"] ?? 0) + this.slept;
    this.frozen = Number(row?.["clock_frozen"] ?? 0);
    this.drift = 0;
    this.kept = Number(row?.["clock_latest"] ?? 0);
    this.latest = Math.max(this.latest, this.kept);
  }

  /** Reads the clock again after a restore, because a restore can set the clock back. */
  rewind(): void {
    this.latest = 0;
    this.reload();
  }

  /**
   * Stores the latest returned time, because the clock must never return an earlier time, even after a
   * restart. Runs in the caller's transaction.
   */
  keep(): void {
    const added = this.drift + this.slept;
    if (this.mode === "virtual" || (this.latest <= this.kept && added === 0)) return;
    this.database
      .prepare("UPDATE world SET clock_latest = max(clock_latest, ?), clock_offset = clock_offset + ?")
      .run(this.latest, added);
    this.kept = this.latest;
    this.drift = 0;
    this.slept = 0;
  }

  get current(): ClockMode {
    return this.mode;
  }

  now(): number {
    if (this.mode === "virtual") return this.frozen;
    const time = this.system.now() + this.offset;
    if (time < this.latest) {
      // The system clock was set back, now or while the emulator was closed. Continue from the latest time.
      this.offset += this.latest - time;
      this.drift += this.latest - time;
    } else {
      this.latest = time;
    }
    return this.latest;
  }

  /** Moves the clock forward, but not past the end of 2099. */
  advance(milliseconds: number): void {
    const step = this.limitStep(milliseconds);
    if (step === 0) return;
    // Add to the stored value: another process may move the clock at the same time.
    const column = this.mode === "virtual" ? "clock_frozen" : "clock_offset";
    this.database.transaction(() => {
      this.keep();
      this.database.prepare(`UPDATE world SET ${column} = ${column} + ?`).run(step);
    });
    this.reload();
  }

  private limitStep(milliseconds: number): number {
    return Math.min(Math.max(0, Math.ceil(milliseconds)), Math.max(0, lastTime - this.now()));
  }

  /** Changes the mode but not the current time. */
  setMode(mode: ClockMode): void {
    const now = this.now();
    this.database.transaction(() => {
      this.database
        .prepare("UPDATE world SET clock_mode = ?, clock_frozen = ?, clock_offset = ?")
        .run(mode, now, now - this.system.now());
      this.slept = 0;
    });
    this.reload();
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.mode === "virtual") this.advance(milliseconds);
    else {
      // The next request stores the time, because a transaction for each wait takes as long as one for a request.
      const step = this.limitStep(milliseconds);
      this.offset += step;
      this.slept += step;
    }
    // Let other tasks run, as they would during a real wait.
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
}

/** public.general.6 */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * Returns an `isoTime` function that caches its last result, because many requests arrive in the same
 * millisecond.
 */
export function isoTimes(): (milliseconds: number) => string {
  let last = Number.NaN;
  let text = "";
  return (milliseconds) => {
    if (milliseconds !== last) {
      text = isoTime(milliseconds);
      last = milliseconds;
    }
    return text;
  };
}
