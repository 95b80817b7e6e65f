import type { Clock } from "../../base/clock.js";
import type { Database } from "../../base/database.js";

/** The last issued id. */
interface LastId {
  readonly prefix: string;
  readonly seconds: number;
  readonly counter: number;
  /** The emulator's time at which the id was created. A later start must not be before this time. */
  readonly at: number;
}

/**
 * The only source of ids. An id has 4 bytes for the seconds of the emulator's clock, 5 bytes that identify the database and a 3-byte
 * counter. Ids always increase, so id order is creation order (D-id). The last id is kept in memory and stored by the commit of the write
 * that uses it.
 */
export class IdSource {
  private last: LastId | undefined;
  /** The common prefix of all ids in one second. */
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
    // A new second starts a new count. When the count is full, the next second is used.
    const counter = now > last.seconds || isFull ? 0 : last.counter + 1;
    const seconds = now > last.seconds ? now : last.seconds + (isFull ? 1 : 0);
    const { prefix } = last;
    this.last = { prefix, seconds, counter, at };
    if (this.head.seconds !== seconds || this.head.prefix !== prefix)
      this.head = { seconds, prefix, text: hex(seconds, 8) + prefix }; // D-id
    return this.head.text + hex(counter, 6);
  }

  /** The last id. It can be restored after a rollback, so that the rolled-back work uses no id. */
  get position(): LastId | undefined {
    return this.last;
  }

  returnTo(position: LastId | undefined): void {
    this.last = position;
  }

  /** Makes later ids start from this second. */
  continueAfter(seconds: number): void {
    const last = this.known();
    this.last = { ...last, seconds: Math.max(last.seconds, seconds + 1) };
  }

  /** Changes the part of later ids that identifies the database. */
  rename(prefix: string): void {
    this.last = { ...this.known(), prefix };
  }

  /** Makes the next id read the file again, after a restore or after another process issued ids. */
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
