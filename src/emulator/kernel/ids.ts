import type { Clock } from "../../base/clock.js";
import type { Database } from "../../base/database.js";

/** The last issued id. */
interface LastId {
  readonly prefix: string;
  readonly seconds: number;
  readonly counter: number;
  /** The emulator's time at which it was created: no later start may be before it. */
  readonly at: number;
}

/**
 * D-id: 4 bytes seconds of the emulator's clock, 5 bytes fixed for the database, a 3-byte counter; always increasing,
 * so that id order is creation order. The only source of ids: the last id is kept in memory, and the commit of the write
 * that uses it stores it.
 */
export class IdSource {
  private last: LastId | undefined;
  /** The common prefix of the ids of one second. */
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
    // A new second starts a new count; a full count uses the next second.
    const counter = now > last.seconds || isFull ? 0 : last.counter + 1;
    const seconds = now > last.seconds ? now : last.seconds + (isFull ? 1 : 0);
    const { prefix } = last;
    this.last = { prefix, seconds, counter, at };
    if (this.head.seconds !== seconds || this.head.prefix !== prefix)
      this.head = { seconds, prefix, text: hex(seconds, 8) + prefix }; // D-id
    return this.head.text + hex(counter, 6);
  }

  /** The last id, to restore after a rollback, so that the rolled-back work uses no id. */
  get position(): LastId | undefined {
    return this.last;
  }

  returnTo(position: LastId | undefined): void {
    this.last = position;
  }

  /** Later ids start from this second. */
  continueAfter(seconds: number): void {
    const last = this.known();
    this.last = { ...last, seconds: Math.max(last.seconds, seconds + 1) };
  }

  /** Changes the middle part of later ids. */
  rename(prefix: string): void {
    this.last = { ...this.known(), prefix };
  }

  /** Reads the file again before the next id: after a restore, or if another process issued ids. */
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
