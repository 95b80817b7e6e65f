/** Converts a run's journal to entries in the store and back. Entries contain the changed rows. */
import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import * as z from "zod";
import { type ChangeRecorder, type Database, openDatabase, type Row } from "../base/database.js";
import { journalVersion } from "../write/journal/file.js";
import type { Journal } from "../write/journal/journal.js";
import { StoreError } from "./errors.js";

/** Header of an entry. The change follows as bytes. */
const Header = z.object({
  /** Version of the journal file. */
  version: z.number(),
  /** SQL that creates the journal's tables; undefined if the tables are unchanged. */
  schema: z.array(z.string()).optional(),
  /**
   * Number of this part, starting at 1. A large change needs several entries, which are valid only together.
   */
  part: z.number(),
  parts: z.number(),
});
type Header = z.output<typeof Header>;

const partBytes = 1_000_000;

export interface JournalChanges {
  /** Returns the changes since the last call; empty without changes. */
  take(): Buffer[];
}

/**
 * @param recorder must be started when the journal is opened
 * @param isNew whether the store has no entries of the run
 */
export function createJournalChanges(
  journal: Pick<Journal, "database">,
  recorder: ChangeRecorder,
  isNew: boolean,
): JournalChanges {
  const { database } = journal;
  let published = isNew ? "" : digestOf(tablesOf(database));
  return {
    take() {
      const bytes = recorder.take();
      const schema = tablesOf(database);
      const digest = digestOf(schema);
      const hasNewTables = digest !== published;
      if (bytes.length === 0 && !hasNewTables) return [];
      published = digest;
      const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
      const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
      return Array.from({ length: parts }, (_, index) =>
        encode(
          { version, ...(hasNewTables && index === 0 ? { schema } : {}), part: index + 1, parts },
          bytes.subarray(index * partBytes, (index + 1) * partBytes),
        ),
      );
    },
  };
}

function digestOf(statements: readonly string[]): string {
  return createHash("sha256").update(statements.join("\n")).digest("hex");
}

function tablesOf(database: Database): string[] {
  return database
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name")
    .all()
    .map(({ sql }) => String(sql));
}

function encode(header: Header, bytes: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, bytes]);
}

function decode(payload: Buffer): { header: Header; bytes: Buffer } {
  const end = 4 + payload.readUInt32BE(0);
  const header = Header.parse(JSON.parse(payload.subarray(4, end).toString("utf8")));
  return { header, bytes: payload.subarray(end) };
}

/**
 * Creates a run's journal file from its entries.
 * @returns `seq`: number of the last entry; `isEmpty`: whether the entries contain no complete change
 * @throws StoreError `run_of_other_version`
 */
export async function rebuildJournal(
  path: string,
  entries: AsyncIterable<{ seq: number; payload: Buffer }>,
): Promise<{ seq: number; isEmpty: boolean }> {
  const database = await openDatabase(path);
  try {
    chmodSync(path, 0o600);
    let pending: { header: Header; bytes: Buffer }[] = [];
    let last = 0;
    let isEmpty = true;
    // One transaction, because each commit waits for the disk.
    database.begin();
    for await (const { seq, payload } of entries) {
      last = seq;
      const entry = decode(payload);
      if (entry.header.version !== journalVersion)
        throw new StoreError("run_of_other_version", "the run was written by a different version of voxctl");
      // Discard an incomplete change: another process took over before the last part was written.
      if (entry.header.part === 1) pending = [];
      pending.push(entry);
      if (pending.length < entry.header.parts) continue;
      apply(database, pending);
      isEmpty = false;
      pending = [];
    }
    database.exec(`PRAGMA user_version = ${journalVersion}`);
    database.commit();
    return { seq: last, isEmpty };
  } finally {
    database.close();
  }
}

function apply(database: Database, entries: readonly { header: Header; bytes: Buffer }[]): void {
  const schema = entries[0]?.header.schema;
  if (schema !== undefined) createMissingTables(database, schema);
  const changes = Buffer.concat(entries.map(({ bytes }) => bytes));
  if (changes.length > 0) database.applyChanges(changes);
}

function createMissingTables(database: Database, schema: readonly string[]): void {
  const existing = new Set(tablesOf(database));
  for (const statement of schema) if (!existing.has(statement)) database.exec(statement);
}

/**
 * Returns the changes that make the journal at `path` equal to `source`, as payloads of entries.
 * @param path path of a journal from `rebuildJournal`
 */
export async function findMissingChanges(
  path: string,
  { isEmpty }: { isEmpty: boolean },
  source: Database,
): Promise<Buffer[]> {
  const database = await openDatabase(path);
  try {
    const changes = createJournalChanges({ database }, database.recordChanges(), isEmpty);
    database.transaction(() => {
      createMissingTables(database, tablesOf(source));
      for (const table of keyedTables(source)) copyRows(source, database, table);
    });
    return changes.take();
  } finally {
    database.close();
  }
}

interface KeyedTable {
  name: string;
  keys: readonly string[];
}

/** Returns the tables with a primary key. Entries contain only changes in these tables. */
function keyedTables(database: Database): KeyedTable[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => ({
      name: String(name),
      keys: database
        .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
        .all(String(name))
        .map((column) => String(column["name"])),
    }))
    .filter(({ keys }) => keys.length > 0);
}

/** Writes only rows that differ. */
function copyRows(source: Database, target: Database, { name, keys }: KeyedTable): void {
  const where = keys.map((key) => `"${key}" = ?`).join(" AND ");
  const keyOf = (row: Row) => keys.map((key) => row[key] ?? null);
  const select = `SELECT * FROM "${name}"`;
  for (const row of source.prepare(select).iterate()) {
    const columns = Object.keys(row);
    const current = target.prepare(`${select} WHERE ${where}`).get(...keyOf(row));
    if (current !== undefined && columns.every((column) => current[column] === row[column])) continue;
    const values = columns.map((column) => row[column] ?? null);
    const marks = columns.map(() => "?").join(", ");
    const names = columns.map((column) => `"${column}"`).join(", ");
    target.prepare(`INSERT OR REPLACE INTO "${name}" (${names}) VALUES (${marks})`).run(...values);
  }
  for (const row of target.prepare(select).all())
    if (source.prepare(`${select} WHERE ${where}`).get(...keyOf(row)) === undefined)
      target.prepare(`DELETE FROM "${name}" WHERE ${where}`).run(...keyOf(row));
}
