import { hash } from "node:crypto";
import type { Database } from "../../base/database.js";
import { BulkError } from "../../write/errors.js";
import type { Fields } from "../../write/fields.js";
import { recordOf } from "../../write/values.js";
import type { SourceRow } from "../import/sources/types.js";

const schema = `
  CREATE TABLE IF NOT EXISTS shown (id TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS file_rows (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, key TEXT, digest TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS file_rows_key ON file_rows (key) WHERE key IS NOT NULL;
`;

export interface Workspace {
  /** Replaces an earlier record with this ID. */
  show(id: string, record: Fields): void;
  shown(id: string): Fields | undefined;
  allShown(): Generator<{ id: string; record: Fields }, void>;
  shownIds(): Generator<string, void>;
  hasShown(): boolean;
  /** @returns the number of an earlier row with the same key and content; undefined if no such row exists */
  addRow(row: SourceRow, key: string | undefined): number | undefined;
  /**
   * Must be called after the last row.
   * @throws BulkError `duplicate_key` if rows with the same key differ
   */
  endFile(): void;
  keyOf(number: number): string | undefined;
  rowOfKey(key: string): number | undefined;
  /** Finds rows whose keys differ from `key` only in leading zeros and a final `.0`. */
  rowsAlike(key: string): { number: number; key: string }[];
  rowOf(number: number): { key?: string | undefined; digest?: string | undefined };
  hasDigest(digest: string): boolean;
}

export function createWorkspace(database: Database): Workspace {
  database.exec(schema);
  const conflicts = new Map<string, readonly number[]>();
  const indexed = new Set<string>();
  /**
   * Creates an index when it is first needed, because most files need none. Indexing all rows at once is
   * faster than maintaining an index.
   */
  const index = (name: string, column: string) => {
    if (indexed.has(name)) return;
    indexed.add(name);
    database.exec(`CREATE INDEX IF NOT EXISTS file_rows_${name} ON file_rows (${column})`);
  };
  const asNumber = (value: unknown) => (value === undefined || value === null ? undefined : Number(value));
  const textIn = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    show: (id, record) =>
      void database.prepare("INSERT OR REPLACE INTO shown VALUES (?, ?)").run(id, JSON.stringify(record)),
    shown(id) {
      const record = database.prepare("SELECT record FROM shown WHERE id = ?").get(id)?.["record"];
      return typeof record === "string" ? recordOf(JSON.parse(record)) : undefined;
    },
    *allShown() {
      for (const { id, record } of database.prepare("SELECT * FROM shown").iterate())
        yield { id: String(id), record: recordOf(JSON.parse(String(record))) };
    },
    *shownIds() {
      for (const { id } of database.prepare("SELECT id FROM shown").iterate()) yield String(id);
    },
    hasShown: () => database.prepare("SELECT 1 FROM shown LIMIT 1").get() !== undefined,
    addRow({ number, line, values, names }, key) {
      const digest = rowDigest(names, values);
      const insert = (own: string | null) =>
        database
          .prepare("INSERT OR IGNORE INTO file_rows VALUES (?, ?, ?, ?)")
          .run(number, line, own, digest);
      if (insert(key ?? null) > 0 || key === undefined) return undefined;
      insert(null);
      const earlier = database.prepare("SELECT * FROM file_rows WHERE key = ?").get(key) ?? {};
      if (earlier["digest"] === digest) return Number(earlier["number"]);
      const lines = conflicts.get(key) ?? [Number(earlier["line"])];
      conflicts.set(key, [...lines, line]);
      return undefined;
    },
    endFile() {
      if (conflicts.size === 0) return;
      throw new BulkError(
        "duplicate_key",
        conflictText(conflicts),
        "give each row its own key, or use a different column with --key",
      );
    },
    keyOf: (number) =>
      textIn(database.prepare("SELECT key FROM file_rows WHERE number = ?").get(number)?.["key"]),
    rowOfKey: (key) =>
      asNumber(database.prepare("SELECT number FROM file_rows WHERE key = ?").get(key)?.["number"]),
    rowsAlike: (key) => {
      index("number", numberIn("key"));
      return database
        .prepare(`SELECT number, key FROM file_rows WHERE ${numberIn("key")} = ${numberIn("?1")}`)
        .all(key)
        .map((row) => ({ number: Number(row["number"]), key: String(row["key"]) }));
    },
    rowOf(number) {
      const row = database.prepare("SELECT key, digest FROM file_rows WHERE number = ?").get(number);
      return { key: textIn(row?.["key"]), digest: textIn(row?.["digest"]) };
    },
    hasDigest(digest) {
      index("digest", "digest");
      return database.prepare("SELECT 1 FROM file_rows WHERE digest = ? LIMIT 1").get(digest) !== undefined;
    },
  };
}

/** Formats conflicts, such as `lines 2 and 5 have the same key, "K1", but differ`. */
function conflictText(conflicts: ReadonlyMap<string, readonly number[]>): string {
  return [...conflicts]
    .map(([key, lines]) => {
      const list = `${lines.slice(0, -1).join(", ")} and ${lines.at(-1)}`;
      return `lines ${list} have the same key, "${key}", but differ`;
    })
    .join("; ");
}

/**
 * Returns the SQL of a key without leading zeros and without the `.0` that programs add when they convert a
 * column to decimal numbers.
 */
export function numberIn(key: string): string {
  return `ltrim(iif(${key} LIKE '%.0', substr(${key}, 1, length(${key}) - 2), ${key}), '0')`;
}

/** Returns undefined if the cell is empty or can't be read. */
export function keyIn({ names, values, unreadable }: SourceRow, column: number): string | undefined {
  if (unreadable?.has(column)) return undefined;
  const value = names.length === 0 ? undefined : values[column];
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return text === "" ? undefined : text.normalize("NFC");
}

/**
 * Returns the digest by which the next sync recognizes an unchanged row. Spaces around cells don't affect the
 * digest.
 */
export function rowDigest(names: readonly string[], values: readonly unknown[]): string {
  const cells = values.map((value) => (typeof value === "string" ? value.trim() : value));
  while (cells.at(-1) === "") cells.pop();
  return hash("sha256", JSON.stringify([names, cells]), "base64url").slice(0, 22);
}
