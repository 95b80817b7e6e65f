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
    const now = this.clock.now();
    // A new second begins a new count; a full count borrows the next second.
    const row = this.database
      .prepare(
        `UPDATE world SET
           id_counter = CASE WHEN ?1 > id_seconds OR id_counter >= 0xffffff THEN 0 ELSE id_counter + 1 END,
           id_seconds = CASE WHEN ?1 > id_seconds THEN ?1 ELSE id_seconds + (id_counter >= 0xffffff) END,
           clock_latest = max(clock_latest, ?2)
         RETURNING id_prefix, id_seconds, id_counter`,
      )
      .get(Math.floor(now / 1000), now);
    if (!row) throw new Error("the file holds no world");
    return hex(Number(row["id_seconds"]), 8) + String(row["id_prefix"]) + hex(Number(row["id_counter"]), 6);
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
