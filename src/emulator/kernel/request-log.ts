import type { Database } from "../../base/database.js";
import type { StruckFault } from "./faults.js";
import { maskedBody, maskedHeaders, maskedPath } from "./log-masks.js";

export interface LogEntry {
  at: number;
  method: string;
  path: string;
  status: number;
  code: string | null;
  rule: string | null;
  duration_ms: number;
  key_id: string | null;
  request_body: string | null;
  response_body: string | null;
  request_headers: Readonly<Record<string, string | undefined>>;
  response_headers: Readonly<Record<string, string>>;
  faults: readonly StruckFault[];
}

const maximumRows = 10_000;
const trimEvery = 500;
/** The last requests, newest kept. Holds no secret: fields that carry one are masked by name before they get here. */
export class RequestLog {
  private waiting: LogEntry[] = [];

  constructor(
    private readonly database: Database,
    private readonly owned: boolean,
  ) {}

  add(entry: LogEntry): void {
    this.waiting.push(entry);
    if (!this.owned) this.flush();
    // Bounds what a busy server holds between two batches.
    else if (this.waiting.length >= 1_000) this.database.transaction(() => this.flush());
  }

  get pending(): boolean {
    return this.waiting.length > 0;
  }

  flush(): void {
    if (this.waiting.length === 0) return;
    const insert = this.database.prepare(
      "INSERT INTO requests (at, method, path, status, code, rule, duration_ms, key_id, request_body, response_body, request_headers, response_headers, faults) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const entry of this.waiting) {
      insert.run(
        entry.at,
        entry.method,
        maskedPath(entry.path),
        entry.status,
        entry.code,
        entry.rule,
        entry.duration_ms,
        entry.key_id,
        maskedBody(entry.request_body),
        maskedBody(entry.response_body),
        maskedHeaders(entry.request_headers),
        maskedHeaders(entry.response_headers),
        entry.faults.length === 0 ? null : JSON.stringify(entry.faults),
      );
    }
    const count = this.waiting.length;
    this.waiting = [];
    // By the id, not by what this process wrote: many short commands fill the log, too.
    const last = Number(this.database.prepare("SELECT max(id) AS id FROM requests").get()?.["id"]);
    if (Math.floor(last / trimEvery) === Math.floor((last - count) / trimEvery)) return;
    this.database.prepare("DELETE FROM requests WHERE id <= ?").run(last - maximumRows);
  }
}
