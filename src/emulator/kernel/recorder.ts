import type { Database } from "../../base/database.js";
import { isFields, mapInner } from "../../base/fields.js";
import { decryptHeaders, decryptSecret, encryptHeaders, encryptSecret, type Sealing } from "./secrets.js";

export interface RecordedWrite {
  id: number;
  /** Time by the emulator's clock. */
  at: number;
  /** Operation such as `contacts.create`; `unmatched` if no operation has this path and method. */
  operation: string;
  path: string;
  /** Each secret is replaced by a placeholder such as `{"$secret": 3}`. */
  body: unknown;
  status: number;
  code: string | null;
  rule: string | null;
  /** Whether a change was committed, even if the response was lost. */
  effect: boolean;
  createdId: string | null;
  /** The resource as a GET returned it; null if the resource did not exist or has no GET operation. */
  before: unknown;
  after: unknown;
  /** IDs of items deleted with their group, by resource type. */
  cascaded: Readonly<Record<string, readonly string[]>>;
}

type NewWrite = Omit<RecordedWrite, "id">;

/** Each write is recorded in the same transaction as its effect; the number of records is unlimited. */
export class Recorder {
  private readonly reads = new Map<string, number>();

  private constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
    readonly latencyMilliseconds: number,
  ) {}

  static of(database: Database, sealing: Sealing): Recorder | undefined {
    const isFork = database
      .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'fork'")
      .get();
    if (!isFork) return undefined;
    const latency = database.prepare("SELECT latency_ms FROM fork").get()?.["latency_ms"];
    return new Recorder(database, sealing, Number(latency ?? 0));
  }

  add(write: NewWrite): number {
    const { cascaded } = write;
    const counts = Object.fromEntries(
      Object.entries(cascaded)
        .filter(([, ids]) => ids.length > 0)
        .map(([resource, ids]) => [resource, ids.length]),
    );
    const row = this.database
      .prepare(
        `INSERT INTO writes (at, operation, path, body, status, code, rule, effect, created_id, before, after, cascade)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      )
      .get(
        write.at,
        write.operation,
        write.path,
        this.sealed(write.body),
        write.status,
        write.code,
        write.rule,
        write.effect ? 1 : 0,
        write.createdId,
        this.sealed(write.before),
        this.sealed(write.after),
        Object.keys(counts).length > 0 ? JSON.stringify(counts) : null,
      );
    const id = Number(row?.["id"]);
    const insert = this.database.prepare("INSERT INTO cascaded (write_id, resource, id) VALUES (?, ?, ?)");
    for (const [resource, ids] of Object.entries(cascaded))
      for (const memberId of ids) insert.run(id, resource, memberId);
    return id;
  }

  /** Updates the status of a write whose response was changed by a fault. */
  updateStatus(id: number, status: number): void {
    this.database.prepare("UPDATE writes SET status = ? WHERE id = ?").run(status, id);
  }

  countRead(operation: string, code: string | undefined): void {
    const name = `${operation} ${code ?? ""}`;
    this.reads.set(name, (this.reads.get(name) ?? 0) + 1);
  }

  /** Runs in the caller's transaction. */
  flush(): void {
    for (const [name, count] of this.reads) {
      const [operation = "", code = ""] = name.split(" ");
      this.database
        .prepare(
          "INSERT INTO reads (operation, code, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
        )
        .run(operation, code, count);
    }
    this.reads.clear();
  }

  private sealed(value: unknown): string | null {
    if (value === undefined || value === null) return null;
    return JSON.stringify(mapSecrets(value, "", this.sealing, (text) => this.keepSecret(text)));
  }

  private keepSecret(text: string): { $secret: number } {
    const row = this.database
      .prepare("INSERT INTO written_secrets (sealed) VALUES (?) RETURNING id")
      .get(encryptSecret(this.sealing, text));
    return { $secret: Number(row?.["id"]) };
  }
}

const secretFields = new Set(["secret", "password"]);

function mapSecrets(
  value: unknown,
  name: string,
  sealing: Sealing,
  keep: (text: string) => { $secret: number },
): unknown {
  if (typeof value === "string") return secretFields.has(name) ? keep(value) : value;
  if (name === "headers" && isFields(value)) return encryptHeaders(sealing, value);
  return mapInner(value, (inner, key) =>
    mapSecrets(inner, typeof key === "string" ? key : "", sealing, keep),
  );
}

export function* readRecordedWrites(
  database: Database,
  sealing: Pick<Sealing, "fileKey">,
): Generator<RecordedWrite, void> {
  const cascaded = database.prepare(
    "SELECT resource, id FROM cascaded WHERE write_id = ? ORDER BY resource, id",
  );
  const page = database.prepare("SELECT * FROM writes WHERE id > ? ORDER BY id LIMIT 500");
  for (let last = 0; ; ) {
    const rows = page.all(last);
    for (const row of rows) {
      last = Number(row["id"]);
      const cascadedIds: Record<string, string[]> = {};
      if (row["cascade"] !== null)
        for (const { resource, id } of cascaded.all(last)) {
          const ids = cascadedIds[String(resource)] ?? [];
          cascadedIds[String(resource)] = ids;
          ids.push(String(id));
        }
      const text = (name: string) => (row[name] === null ? null : String(row[name]));
      const opened = (name: string) => {
        const json = text(name);
        return json === null ? null : openHeaders(JSON.parse(json), "", sealing);
      };
      yield {
        id: last,
        at: Number(row["at"]),
        operation: String(row["operation"]),
        path: String(row["path"]),
        body: opened("body"),
        status: Number(row["status"]),
        code: text("code"),
        rule: text("rule"),
        effect: row["effect"] === 1,
        createdId: text("created_id"),
        before: opened("before"),
        after: opened("after"),
        cascaded: cascadedIds,
      };
    }
    if (rows.length === 0) return;
  }
}

function openHeaders(value: unknown, name: string, sealing: Pick<Sealing, "fileKey">): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => openHeaders(entry, "", sealing));
  if (name === "headers") return decryptHeaders(sealing, Object.fromEntries(Object.entries(value)));
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, openHeaders(inner, field, sealing)]),
  );
}

/** Secrets are stored so that a fork's writes can be repeated as long as the fork exists. */
export function readWrittenSecret(
  database: Database,
  sealing: Pick<Sealing, "fileKey">,
  id: number,
): string | undefined {
  const row = database.prepare("SELECT sealed FROM written_secrets WHERE id = ?").get(id);
  return row && decryptSecret(sealing, String(row["sealed"]));
}
