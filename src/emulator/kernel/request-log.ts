import type { Database } from "../../base/database.js";

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
}

const maximumRows = 10_000;
const trimEvery = 500;
/** Longer bodies are cut: the log is for looking at. */
const maximumBody = 16_384;
/** Longer addresses are cut, too. */
const maximumPath = 4_096;
const masked = "***";
/** Fields whose value is a secret wherever they stand. */
const secretFields = new Set([
  "secret",
  "password",
  "key",
  "authorization",
  "api_key",
  "control_token",
  "token",
]);

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
      "INSERT INTO requests (at, method, path, status, code, rule, duration_ms, key_id, request_body, response_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const entry of this.waiting) {
      insert.run(
        entry.at,
        entry.method,
        cut(maskQuery(entry.path), maximumPath),
        entry.status,
        entry.code,
        entry.rule,
        entry.duration_ms,
        entry.key_id,
        redacted(entry.request_body),
        redacted(entry.response_body),
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

/** A body with the values of secret fields masked (emulator.log). What is no JSON is not kept: it can't be judged. */
function redacted(body: string | null): string | null {
  if (body === null || body === "") return null;
  // Most bodies hold nothing that looks like one. Names may be written with escapes, or without quotes.
  if (!/secret|password|key|authorization|token|headers|\\u|:(\\?\/){2}[^"\s]*@/i.test(body))
    return cut(body);
  try {
    return cut(JSON.stringify(maskSecrets(JSON.parse(body))));
  } catch {
    return "(not JSON)";
  }
}

/** Nobody is let in by a key in an address, but who puts one there does not want it kept. */
function maskQuery(path: string): string {
  const mark = path.indexOf("?");
  if (mark < 0) return path;
  const parameters = path
    .slice(mark + 1)
    .split("&")
    .map((parameter) => {
      const [name = ""] = parameter.split("=", 1);
      return secretFields.has(name.toLowerCase()) ? `${name}=${masked}` : parameter;
    });
  return `${path.slice(0, mark)}?${parameters.join("&")}`;
}

function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  // An address with a password in it is refused, and kept as it was sent.
  if (typeof value === "string") return value.replace(/(:\/\/)[^/?#\s]*@/g, `$1${masked}@`);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const lower = name.toLowerCase();
      if (secretFields.has(lower) && field !== null) return [name, masked];
      // Custom headers are where callers put tokens.
      if (lower === "headers" && field !== null) {
        if (typeof field !== "object" || Array.isArray(field)) return [name, masked];
        return [name, Object.fromEntries(Object.keys(field).map((header) => [header, masked]))];
      }
      return [name, maskSecrets(field)];
    }),
  );
}

function cut(text: string, maximum = maximumBody): string {
  return text.length > maximum ? `${text.slice(0, maximum)}… (${text.length} characters)` : text;
}
