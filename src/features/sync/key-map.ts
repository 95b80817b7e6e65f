/**
 * The key map of a group: for each row of the last file, its contact, its key, the sent fields and the
 * response. It is an SQLite file in the data directory, or a JSONL file that the user chose.
 */
import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type Database, openDatabase } from "../../base/database.js";
import { BulkError } from "../../write/errors.js";
import { type Fields, isAlike, isSame, pick } from "../../write/fields.js";
import { recordOf } from "../../write/values.js";
import { numberIn } from "./workspace.js";

export const KeyMapHeader = z.object({
  /** In version 1, stored responses may also contain values from other users. */
  voxctl_state: z.literal([1, 2]),
  base_url: z.string(),
  group_id: z.string(),
  key: z.string().nullable(),
  rows: z.int().nonnegative(),
  invalid: z.int().nonnegative(),
  line_end: z.boolean(),
  finished_at: z.string(),
  /** Plan that last changed the group. */
  plan_id: z.string().optional(),
});
export type KeyMapHeader = z.output<typeof KeyMapHeader>;

/** A row of the last file, or of an earlier file if its contact still exists. */
export const KeyMapRow = z.object({
  /** Number of the row in the last file, starting at 1; null if the last file doesn't contain it. */
  position: z.int().nullable(),
  key: z.string().nullable(),
  id: z.string().nullable(),
  digest: z.string().nullable(),
  sent: z.record(z.string(), z.unknown()),
  answer: z.record(z.string(), z.unknown()),
  /** Whether `answer` is the response to a write. If not, it is the response to a read. */
  written: z.boolean(),
});
export type KeyMapRow = z.output<typeof KeyMapRow>;

const schema = `
  CREATE TABLE IF NOT EXISTS info (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS rows (
    number INTEGER PRIMARY KEY,
    position INTEGER,
    key TEXT,
    id TEXT,
    digest TEXT,
    sent TEXT NOT NULL,
    answer TEXT NOT NULL,
    written INTEGER NOT NULL,
    step INTEGER
  );
`;
const indexes = `
  CREATE INDEX IF NOT EXISTS rows_key ON rows (key);
  CREATE INDEX IF NOT EXISTS rows_key_number ON rows (${numberIn("key")});
  CREATE INDEX IF NOT EXISTS rows_id ON rows (id);
  CREATE INDEX IF NOT EXISTS rows_step ON rows (step);
`;
const dropIndexes =
  "DROP INDEX rows_key; DROP INDEX rows_key_number; DROP INDEX rows_id; DROP INDEX rows_step;";

const columns = "position, key, id, digest, sent, answer, written, step";
const insertRow = `INSERT INTO rows (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const fileOrder = "1 ORDER BY position IS NULL, position, number";
const copyFromSource = `
  INSERT INTO rows (${columns}) SELECT ${columns} FROM source.rows WHERE ${fileOrder};
  INSERT INTO info SELECT * FROM source.info;
`;

export interface KeyMap {
  header(): KeyMapHeader | undefined;
  setHeader(header: KeyMapHeader): void;
  /** @param step plan step that creates or updates the row's contact */
  add(row: KeyMapRow, step?: number): void;
  byKey(key: string): KeyMapRow | undefined;
  /** Returns the rows whose key is this number, with any leading zeros and with or without a final `.0`. */
  byNumber(key: string): KeyMapRow[];
  byId(id: string): KeyMapRow | undefined;
  hasKeys(): boolean;
  dropKeys(): void;
  /** Yields the rows of the last file in order, then the rows of earlier files. */
  all(): Generator<KeyMapRow, void>;
  backwards(): Generator<KeyMapRow, void>;
  /**
   * Stores the contact and the response of a step.
   * @param answerTo returns the part of the response that belongs to the sent fields
   */
  resolve(step: number, id: string, answerTo: (sent: Fields) => Fields): void;
  /** Clears the sent fields and responses of rows whose step has no result. */
  dropUnresolved(): void;
  /** Stores the contact of `row` under this key, unless the key already has a contact. */
  adopt(key: string, row: KeyMapRow): void;
  forget(id: string): void;
  restore(id: string, data: Fields): void;
  /** Runs work that only adds rows. Creates the indexes afterwards, which is much faster. */
  fill(work: () => void): void;
  replaceWith(source: KeyMap): void;
  readonly path: string;
  transaction<T>(work: () => T): T;
  close(): void;
}

/** @param path path of a file that only the user may read, or `:memory:` */
export async function openKeyMap(path: string): Promise<KeyMap> {
  const database = await openDatabase(path, {});
  if (path !== ":memory:") chmodSync(path, 0o600);
  return createKeyMap(database, path);
}

function createKeyMap(database: Database, path: string): KeyMap {
  database.transaction(() => {
    database.exec(schema + indexes);
    upgrade(database);
  });
  const rowOf = (row: ReturnType<ReturnType<Database["prepare"]>["get"]>): KeyMapRow | undefined =>
    row && {
      position: typeof row["position"] === "number" ? row["position"] : null,
      key: textOrNull(row["key"]),
      id: textOrNull(row["id"]),
      digest: textOrNull(row["digest"]),
      sent: recordOf(JSON.parse(String(row["sent"]))),
      answer: recordOf(JSON.parse(String(row["answer"]))),
      written: row["written"] === 1,
    };
  function* ordered(order: string): Generator<KeyMapRow, void> {
    const rows = database.prepare(`SELECT * FROM rows WHERE ${order}`).iterate();
    for (const row of rows) {
      const read = rowOf(row);
      if (read !== undefined) yield read;
    }
  }
  const table: KeyMap = {
    header() {
      const value = database.prepare("SELECT value FROM info WHERE name = 'header'").get()?.["value"];
      if (typeof value !== "string") return undefined;
      const header = KeyMapHeader.safeParse(JSON.parse(value));
      if (header.success) return header.data;
      // Throw: without a header, the key map would count as new and lose all its keys.
      throw new BulkError(
        "state_unreadable",
        "the group's key map was written by a different version of voxctl",
        "update voxctl",
      );
    },
    setHeader(header) {
      database.prepare("INSERT OR REPLACE INTO info VALUES ('header', ?)").run(JSON.stringify(header));
    },
    add({ position, key, id, digest, sent, answer, written }, step) {
      database
        .prepare(insertRow)
        .run(
          position,
          key,
          id,
          digest,
          JSON.stringify(sent),
          JSON.stringify(answer),
          written ? 1 : 0,
          step ?? null,
        );
    },
    byKey: (key) => rowOf(database.prepare("SELECT * FROM rows WHERE key = ? LIMIT 1").get(key)),
    byNumber: (key) =>
      database
        .prepare(`SELECT * FROM rows WHERE ${numberIn("key")} = ${numberIn("?1")}`)
        .all(key)
        .map(rowOf)
        .filter((row) => row !== undefined),
    byId: (id) => rowOf(database.prepare("SELECT * FROM rows WHERE id = ? LIMIT 1").get(id)),
    hasKeys: () =>
      database.prepare("SELECT 1 FROM rows WHERE key IS NOT NULL AND id IS NOT NULL LIMIT 1").get() !==
      undefined,
    dropKeys: () => void database.prepare("UPDATE rows SET key = NULL").run(),
    all: () => ordered(fileOrder),
    backwards: () => ordered("position IS NOT NULL ORDER BY position DESC"),
    resolve(step, id, answerTo) {
      const resolved = database.prepare(
        "UPDATE rows SET id = ?, answer = ?, written = 1, step = NULL WHERE number = ?",
      );
      for (const { number, sent } of database
        .prepare("SELECT number, sent FROM rows WHERE step = ?")
        .all(step))
        resolved.run(id, JSON.stringify(answerTo(recordOf(JSON.parse(String(sent))))), Number(number));
    },
    dropUnresolved() {
      database
        .prepare("UPDATE rows SET sent = '{}', answer = '{}', written = 0 WHERE step IS NOT NULL")
        .run();
      database.prepare("UPDATE rows SET step = NULL WHERE step IS NOT NULL").run();
    },
    adopt: (key, { id, sent, answer, written }) =>
      void database
        .prepare("UPDATE rows SET id = ?, sent = ?, answer = ?, written = ? WHERE key = ? AND id IS NULL")
        .run(id, JSON.stringify(sent), JSON.stringify(answer), written ? 1 : 0, key),
    forget: (id) => void database.prepare("DELETE FROM rows WHERE id = ?").run(id),
    restore: (id, data) =>
      void database
        .prepare("UPDATE rows SET sent = '{}', answer = ?, written = 1 WHERE id = ?")
        .run(JSON.stringify(data), id),
    replaceWith(source) {
      const isFile = [path, source.path].every((each) => each !== ":memory:");
      // SQLite copies rows from file to file much faster than JavaScript.
      if (isFile) database.prepare("ATTACH DATABASE ? AS source").run(source.path);
      try {
        database.transaction(() => {
          database.exec("DELETE FROM rows; DELETE FROM info");
          table.fill(() => {
            if (isFile) database.exec(copyFromSource);
            else copyRows(source, table);
          });
        });
      } finally {
        if (isFile) database.exec("DETACH DATABASE source");
      }
    },
    fill(work) {
      database.exec(dropIndexes);
      work();
      database.exec(indexes);
    },
    path,
    transaction: (work) => database.transaction(work),
    close: () => database.close(),
  };
  return table;
}

function upgrade(database: Database): void {
  const converted = database.prepare(
    "UPDATE info SET value = json_set(value, '$.voxctl_state', 2) WHERE name = 'header' AND json_extract(value, '$.voxctl_state') = 1",
  );
  if (converted.run() === 0) return;
  const update = database.prepare("UPDATE rows SET answer = ? WHERE number = ?");
  for (const { number, sent, answer } of database.prepare("SELECT number, sent, answer FROM rows").all()) {
    const [row, response] = [sent, answer].map((text) => recordOf(JSON.parse(String(text))));
    update.run(JSON.stringify(withoutDoubtful(row ?? {}, response ?? {})), Number(number));
  }
}

/**
 * Returns a response of version 1 without fields that differ from the sent fields, because their values may
 * be from other users. The next run sends these fields again if they still differ.
 */
export function withoutDoubtful(sent: Fields, answer: Fields): Fields {
  const fields = Object.keys(answer);
  return pick(
    answer,
    fields.filter((field) => !(field in sent) || isAlike(field, sent[field], answer[field])),
  );
}

export function listChanges(
  former: KeyMapRow | undefined,
  { sent, answer, written }: Pick<KeyMapRow, "sent" | "answer" | "written">,
): Partial<Pick<KeyMapRow, "sent" | "answer" | "written">> {
  // `sent` and `answer` belong together, so return both even if only one differs.
  const isKept = isSame(former?.sent, sent) && isSame(former?.answer, answer);
  return {
    ...(isKept ? {} : { sent, answer }),
    ...(former?.written === written ? {} : { written }),
  };
}

function copyRows(source: KeyMap, table: KeyMap): void {
  const header = source.header();
  if (header !== undefined) table.setHeader(header);
  for (const row of source.all()) table.add(row);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function keyMapPath(
  { baseUrl, groupId, folder }: { baseUrl: string; groupId: string; folder: string },
  ending: string,
): string {
  const name = createHash("sha256")
    .update(JSON.stringify([baseUrl, groupId]))
    .digest("hex")
    .slice(0, 24);
  return join(folder, `${name}.${ending}`);
}
