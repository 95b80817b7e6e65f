/** Converts between a run's journal on this machine and its entries in the store, which contain the changed rows. */
import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import * as z from "zod";
import { type ChangeRecorder, type Database, openDatabase } from "../base/database.js";
import type { Journal } from "../write/journal/journal.js";
import { StoreError } from "./errors.js";

/** Header of an entry; the bytes of the change follow. */
const Header = z.object({
  /** Version of the journal file. */
  version: z.number(),
  /** Statements that create the journal's tables, if they have changed. */
  schema: z.array(z.string()).optional(),
  /** Number of this part. A large change is split into several entries, which are valid only together. */
  part: z.number(),
  parts: z.number(),
});
type Header = z.output<typeof Header>;

/** Maximum number of bytes of a change in one entry. */
const partBytes = 1_000_000;

/** Converts the changes in a journal to payloads of entries. */
export interface JournalChanges {
  /** Returns the changes since the last call; empty if nothing has changed. */
  take(): Buffer[];
}

/**
 * @param recorder started when the journal was opened
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
 * Creates the journal file of a run from its entries.
 * @returns the number of the last entry; `isEmpty` if no entry is complete, because the process ended during planning
 * @throws StoreError `run_of_other_version`
 */
export async function rebuildJournal(
  path: string,
  entries: AsyncIterable<{ seq: number; payload: Buffer }>,
  version: number,
): Promise<{ seq: number; isEmpty: boolean }> {
  const database = await openDatabase(path);
  try {
    chmodSync(path, 0o600);
    let pending: { header: Header; bytes: Buffer }[] = [];
    let last = 0;
    let isEmpty = true;
    for await (const { seq, payload } of entries) {
      last = seq;
      const entry = decode(payload);
      if (entry.header.version !== version)
        throw new StoreError("run_of_other_version", "the run was written by a different version of voxctl");
      // Discard incomplete parts: another process took over before the last one was written.
      if (entry.header.part === 1) pending = [];
      pending.push(entry);
      if (pending.length < entry.header.parts) continue;
      apply(database, pending);
      isEmpty = false;
      pending = [];
    }
    database.exec(`PRAGMA user_version = ${version}`);
    return { seq: last, isEmpty };
  } finally {
    database.close();
  }
}

function apply(database: Database, entries: readonly { header: Header; bytes: Buffer }[]): void {
  const schema = entries[0]?.header.schema;
  if (schema !== undefined) {
    const existing = new Set(tablesOf(database));
    for (const statement of schema) if (!existing.has(statement)) database.exec(statement);
  }
  const changes = Buffer.concat(entries.map(({ bytes }) => bytes));
  if (changes.length > 0) database.applyChanges(changes);
}
