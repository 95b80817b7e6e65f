import type { Clock } from "../../base/clock.js";
import type { Database } from "../../base/database.js";

interface LastId {
  readonly prefix: string;
  readonly seconds: number;
  readonly counter: number;
  /** After a restart, the clock doesn't start before this time. */
  readonly at: number;
}

/**
 * An ID consists of the emulator's time in seconds (4 bytes), a part that identifies the database (5 bytes)
 * and a counter (3 bytes). IDs always increase, so their order is the order of creation (D-id).
 */
export class IdSource {
  private last: LastId | undefined;
  private head = { seconds: -1, prefix: "", text: "" };
  private kept: LastId | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    database.beforeCommit(() => this.keep());
  }

  next(): string {
    const last = this.known();
    const at = this.clock.now();
    const now = Math.floor(at / 1000);
    const isFull = last.counter >= 0xffffff;
    // Every second has its own counter. If the counter is full, the next second is used.
    const counter = now > last.seconds || isFull ? 0 : last.counter + 1;
    const seconds = now > last.seconds ? now : last.seconds + (isFull ? 1 : 0);
    const { prefix } = last;
    this.last = { prefix, seconds, counter, at };
    if (this.head.seconds !== seconds || this.head.prefix !== prefix)
      this.head = { seconds, prefix, text: hex(seconds, 8) + prefix }; // D-id
    return this.head.text + hex(counter, 6);
  }

  /** To make rolled-back IDs available again, pass this position to `returnTo`. */
  get position(): LastId | undefined {
    return this.last;
  }

  returnTo(position: LastId | undefined): void {
    this.last = position;
  }

  continueAfter(seconds: number): void {
    const last = this.known();
    this.last = { ...last, seconds: Math.max(last.seconds, seconds + 1) };
  }

  /** Sets the part that identifies the database in all later IDs. */
  rename(prefix: string): void {
    this.last = { ...this.known(), prefix };
  }

  /** A restore or another process might have changed the last ID. */
  reload(): void {
    this.last = undefined;
    this.kept = undefined;
  }

  private known(): LastId {
    if (this.last) return this.last;
    const row = this.database.prepare("SELECT id_prefix, id_seconds, id_counter FROM world").get();
    if (!row) throw new Error("the database contains no emulator state");
    this.last = {
      prefix: String(row["id_prefix"]),
      seconds: Number(row["id_seconds"]),
      counter: Number(row["id_counter"]),
      at: 0,
    };
    this.kept = this.last;
    return this.last;
  }

  private keep(): void {
    const { last } = this;
    if (last === undefined || last === this.kept) return;
    this.database
      .prepare(
        "UPDATE world SET id_prefix = ?, id_seconds = ?, id_counter = ?, clock_latest = max(clock_latest, ?)",
      )
      .run(last.prefix, last.seconds, last.counter, last.at);
    this.kept = last;
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
