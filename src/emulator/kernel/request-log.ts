import type { Database } from "../../base/database.js";
import type { LogEntry } from "./log-entry.js";
import { HeaderMasks, maskBody, maskPath } from "./log-masks.js";
import { countBodyCharacters, WaitingEntries } from "./waiting-entries.js";

const maximumRows = 10_000;
const trimEvery = 500;
/** Maximum size of a batch; limited, because no request can be handled while a batch is written. */
const idleBatch = { rows: 200, bytes: 256 * 1024 };
/**
 * Maximum size of a batch while requests keep arriving. With smaller batches, more entries wait, and newer
 * entries may replace them before they are written.
 */
const busyBatch = { rows: 50, bytes: idleBatch.bytes };

/**
 * On a busy server, entries wait in memory, because newer entries soon replace some of them. The emulator
 * then doesn't have to mask or write the replaced entries.
 */
export class RequestLog {
  private readonly waiting = new WaitingEntries(maximumRows);
  private readonly headers = new HeaderMasks();
  private isBusy = false;

  constructor(private readonly database: Database) {}

  /** Adds an entry without copying its strings, so the caller must not change the entry afterwards. */
  add(entry: LogEntry): void {
    this.waiting.push(entry);
    this.isBusy = true;
  }

  get pending(): boolean {
    return this.waiting.count > 0;
  }

  /** Discards unwritten entries, because their requests were rolled back. */
  discard(): void {
    this.waiting.drop(this.waiting.count);
  }

  flush(): void {
    this.write(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  flushBatch(): void {
    const { rows, bytes } = this.isBusy ? busyBatch : idleBatch;
    this.isBusy = false;
    this.write(rows, bytes);
  }

  private write(rows: number, bytes: number): void {
    const insert = this.database.prepare(
      "INSERT INTO requests (at, method, path, status, code, rule, duration_ms, key_id, request_body, response_body, request_headers, response_headers, faults) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    let written = 0;
    for (let left = bytes; written < rows && left > 0; written += 1) {
      const entry = this.waiting.at(written);
      if (!entry) break;
      left -= countBodyCharacters(entry);
      insert.run(
        entry.at,
        entry.method,
        maskPath(entry.path),
        entry.status,
        entry.code,
        entry.rule,
        entry.duration_ms,
        entry.key_id,
        maskBody(entry.request_body),
        maskBody(entry.response_body),
        this.headers.masked(entry.request_headers),
        this.headers.masked(entry.response_headers),
        entry.faults.length === 0 ? null : JSON.stringify(entry.faults),
      );
    }
    this.waiting.drop(written);
    if (written > 0) this.trim(written);
  }

  /** Counts entries by their IDs, because other processes also write entries. */
  private trim(written: number): void {
    const last = Number(this.database.prepare("SELECT max(id) AS id FROM requests").get()?.["id"]);
    if (Math.floor(last / trimEvery) === Math.floor((last - written) / trimEvery)) return;
    this.database.prepare("DELETE FROM requests WHERE id <= ?").run(last - maximumRows);
  }
}
