import type { Database } from "../base/database.js";
import { parseExactJson, stringifyExactJson } from "../base/exact-json.js";
import type { Fields } from "./fields.js";
import type { EarlierRow } from "./group/adapter.js";
import { recordOf } from "./values.js";

export interface Known {
  readonly id: string;
  readonly input: Fields;
  readonly answer: Fields;
}

const schema = `
  CREATE TABLE IF NOT EXISTS existing (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL,
    readings INTEGER NOT NULL,
    is_older INTEGER NOT NULL,
    claimed_by INTEGER
  );
  CREATE TABLE IF NOT EXISTS existing_keys (key TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS existing_keys_position ON existing_keys (position);
  CREATE TABLE IF NOT EXISTS row_keys (key TEXT PRIMARY KEY, number INTEGER NOT NULL, fields TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS left_out_row_keys (key TEXT PRIMARY KEY, number INTEGER NOT NULL, fields TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS known (id TEXT PRIMARY KEY, fingerprint TEXT, input TEXT NOT NULL, answer TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS known_fingerprint ON known (fingerprint);
  CREATE TABLE IF NOT EXISTS known_keys (key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS known_keys_id ON known_keys (id);
`;

const keysAtOnce = 20;

export interface ExistingItem {
  readonly id: string;
  readonly value: Fields;
  /** Row that matched by a similar spelling; 0 for an exact match; undefined without a match. */
  readonly claimedBy: number | undefined;
  /** Bit mask of the readings that returned the resource; see `readings`. */
  readonly readings: number;
}

/** Bits for the two times that a group is read: during planning, and right before the first write. */
export const readings = { plan: 1, beforeWrite: 2, both: 3 } as const;

/** Stored in the run's file, because the group's content and the rows may not fit in memory. */
export interface Existing {
  /** @param item.isOlder whether the resource existed before the run's first create */
  add(item: { id: string; value: Fields; keys: readonly string[]; reading: number; isOlder: boolean }): void;
  /** Returns whether the group is empty and no earlier writes are known. If so, rows need no comparison. */
  isEmpty(): boolean;
  /** Returns at most `limit` resources with one of these keys, in list order. */
  find(keys: readonly string[], limit: number): ExistingItem[];
  get(id: string): ExistingItem | undefined;
  isOlder(id: string): boolean;
  size(): number;
  all(): Generator<ExistingItem, void>;
  /** Stores the fields after the run's update. Later rows are compared with them. */
  replace(id: string, value: Fields, keys: readonly string[]): void;
  claim(id: string, row: number): void;
  /** Starts the second reading. All resources added from now on belong to it. */
  beginReading(): void;
  /** @param before searches only rows before this row */
  earlierRow(keys: readonly string[], before?: number): EarlierRow | undefined;
  /** @returns whether no earlier row has one of these keys */
  addRow(row: EarlierRow, keys: readonly string[]): boolean;
  /** Removes a skipped row. Later rows then no longer match it. */
  dropRow(number: number, keys: readonly string[]): void;
  findDroppedRow(keys: readonly string[]): EarlierRow | undefined;
  /** Stores an earlier run's write. Keeps only the first write for each resource. */
  addKnown(known: Known & { fingerprint: string }, keys: readonly string[]): void;
  known(id: string): Known | undefined;
  forget(id: string): void;
  /** Returns the IDs of resources that earlier runs wrote from a row with this fingerprint. */
  knownFrom(fingerprint: string): string[];
  /**
   * Returns the IDs of resources that earlier runs wrote from a row with one of these keys. Omits resources
   * that a reading returned.
   */
  knownUnread(keys: readonly string[], limit: number): string[];
}

export function createExisting(database: Database): Existing {
  database.exec(schema);
  const itemOf = (row: ReturnType<ReturnType<Database["prepare"]>["get"]>): ExistingItem | undefined => {
    if (row === undefined) return undefined;
    const claimed = row["claimed_by"];
    return {
      id: String(row["id"]),
      value: fieldsIn(row["value"]),
      claimedBy: typeof claimed === "number" ? claimed : undefined,
      readings: Number(row["readings"]),
    };
  };
  const index = (keys: readonly string[], position: number) => {
    const insert = database.prepare("INSERT OR IGNORE INTO existing_keys (key, position) VALUES (?, ?)");
    for (const key of keys) insert.run(key, position);
  };
  const insertOf = insertsOf(database);
  const dropKeys = (position: number) =>
    database.prepare("DELETE FROM existing_keys WHERE position = ?").run(position);
  const rowIn = (table: "row_keys" | "left_out_row_keys", keys: readonly string[], before?: number) => {
    let first: EarlierRow | undefined;
    const lookUp = database.prepare(`SELECT number, fields FROM ${table} WHERE key = ?`);
    for (const key of keys) {
      const row = lookUp.get(key);
      const number = Number(row?.["number"]);
      if (row === undefined || number >= (first?.number ?? before ?? Number.POSITIVE_INFINITY)) continue;
      first = { number, fields: fieldsIn(row["fields"]) };
    }
    return first;
  };

  return {
    add({ id, value, keys, reading, isOlder }) {
      const row = database
        .prepare(
          "INSERT INTO existing (id, value, readings, is_older) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value, readings = readings | excluded.readings RETURNING position",
        )
        .get(id, stringifyExactJson(value), reading, isOlder ? 1 : 0);
      const position = Number(row?.["position"]);
      dropKeys(position);
      index(keys, position);
    },
    isEmpty: () =>
      database.prepare("SELECT 1 FROM existing UNION ALL SELECT 1 FROM known LIMIT 1").get() === undefined,
    find(keys, limit) {
      const positions = new Set<number>();
      const lookUp = database.prepare(
        "SELECT position FROM existing_keys WHERE key = ? ORDER BY position LIMIT ?",
      );
      for (const key of keys) {
        for (const row of lookUp.all(key, limit)) positions.add(Number(row["position"]));
      }
      const byPosition = database.prepare("SELECT * FROM existing WHERE position = ?");
      return [...positions]
        .sort((left, right) => left - right)
        .slice(0, limit)
        .flatMap((position) => itemOf(byPosition.get(position)) ?? []);
    },
    get: (id) => itemOf(database.prepare("SELECT * FROM existing WHERE id = ?").get(id)),
    *all() {
      let after = 0;
      for (;;) {
        const rows = database
          .prepare("SELECT * FROM existing WHERE position > ? ORDER BY position LIMIT 500")
          .all(after);
        for (const row of rows) {
          const item = itemOf(row);
          if (item !== undefined) yield item;
        }
        if (rows.length === 0) return;
        after = Number(rows.at(-1)?.["position"]);
      }
    },
    size: () => Number(database.prepare("SELECT count(*) AS n FROM existing").get()?.["n"] ?? 0),
    isOlder: (id) =>
      database.prepare("SELECT 1 FROM existing WHERE id = ? AND is_older = 1").get(id) !== undefined,
    replace(id, value, keys) {
      const row = database
        .prepare("UPDATE existing SET value = ? WHERE id = ? RETURNING position")
        .get(stringifyExactJson(value), id);
      if (row !== undefined) index(keys, Number(row["position"]));
    },
    claim(id, row) {
      database.prepare("UPDATE existing SET claimed_by = ? WHERE id = ?").run(row, id);
    },
    beginReading() {
      database.prepare("UPDATE existing SET readings = readings & ?").run(readings.plan);
    },
    earlierRow: (keys, before) => rowIn("row_keys", keys, before),
    addRow({ number, fields }, keys) {
      const kept = stringifyExactJson(fields);
      let added = 0;
      for (let at = 0; at < keys.length; at += keysAtOnce) {
        const some = keys.length > keysAtOnce ? keys.slice(at, at + keysAtOnce) : keys;
        added += insertOf(some.length).run(number, kept, ...some);
      }
      return added === keys.length;
    },
    dropRow(number, keys) {
      const remove = database.prepare("DELETE FROM row_keys WHERE key = ? AND number = ? RETURNING *");
      const keep = database.prepare(
        "INSERT OR IGNORE INTO left_out_row_keys (key, number, fields) VALUES (?, ?, ?)",
      );
      for (const key of keys) {
        const fields = remove.get(key, number)?.["fields"];
        if (typeof fields === "string") keep.run(key, number, fields);
      }
    },
    findDroppedRow: (keys) => rowIn("left_out_row_keys", keys),
    addKnown({ id, fingerprint, input, answer }, keys) {
      const added = database
        .prepare("INSERT OR IGNORE INTO known (id, fingerprint, input, answer) VALUES (?, ?, ?, ?)")
        .run(id, fingerprint, stringifyExactJson(input), stringifyExactJson(answer));
      if (added === 0) return;
      const insert = database.prepare("INSERT OR IGNORE INTO known_keys (key, id) VALUES (?, ?)");
      for (const key of keys) insert.run(key, id);
    },
    forget(id) {
      for (const table of ["known", "known_keys"]) {
        database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
      }
      const row = database.prepare("DELETE FROM existing WHERE id = ? RETURNING position").get(id);
      if (row !== undefined) dropKeys(Number(row["position"]));
    },
    knownUnread(keys, limit) {
      const ids = new Set<string>();
      const lookUp = database.prepare(
        "SELECT id FROM known_keys WHERE key = ? AND id NOT IN (SELECT id FROM existing) LIMIT ?",
      );
      for (const key of keys) for (const row of lookUp.all(key, limit)) ids.add(String(row["id"]));
      return [...ids].slice(0, limit);
    },
    known(id) {
      const row = database.prepare("SELECT input, answer FROM known WHERE id = ?").get(id);
      return row && { id, input: fieldsIn(row["input"]), answer: fieldsIn(row["answer"]) };
    },
    knownFrom: (fingerprint) =>
      database
        .prepare("SELECT id FROM known WHERE fingerprint = ? ORDER BY rowid")
        .all(fingerprint)
        .map((row) => String(row["id"])),
  };
}

function fieldsIn(value: unknown): Fields {
  return typeof value === "string" ? recordOf(parseExactJson(value)) : {};
}

function insertsOf(database: Database): (keys: number) => ReturnType<Database["prepare"]> {
  const texts: string[] = [];
  return (keys) => {
    texts[keys] ??=
      `INSERT OR IGNORE INTO row_keys (number, fields, key) VALUES ${"(?1, ?2, ?), ".repeat(keys).slice(0, -2)}`;
    return database.prepare(texts[keys]);
  };
}
