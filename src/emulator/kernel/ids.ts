import type { Clock } from "../../base/clock.js";
import type { Database } from "../../base/database.js";

/**
 * D-id: 4 bytes seconds of the world's clock, 5 bytes fixed for the database, a 3-byte counter; always increasing,
 * so that id order is creation order. The last one given lies in the file, inside the transaction that uses it.
 */
export class IdSource {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  next(): string {
    const row = this.database.prepare("SELECT id_prefix, id_seconds, id_counter FROM world").get();
    const last = Number(row?.["id_seconds"] ?? 0);
    const now = Math.floor(this.clock.now() / 1000);
    let seconds = Math.max(now, last);
    let counter = seconds === last ? Number(row?.["id_counter"] ?? 0) + 1 : 0;
    if (counter > 0xffffff) {
      seconds += 1;
      counter = 0;
    }
    this.database.prepare("UPDATE world SET id_seconds = ?, id_counter = ?").run(seconds, counter);
    return hex(seconds, 8) + String(row?.["id_prefix"] ?? "") + hex(counter, 6);
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
