import type { Database, Row } from "../../base/database.js";
import { type GroupContact, groupContact, keysOf, type MatchKey, type Name } from "./identity.js";

const schema = `
  CREATE TABLE IF NOT EXISTS members (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    contact TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS member_keys (key TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS row_keys (
    key TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL
  ) WITHOUT ROWID;
`;

interface EarlierRow extends Name {
  readonly number: number;
}

/**
 * The group as it was when the run was planned, and the rows seen so far, found by number, e-mail or whole contact.
 * In the run's own file: neither a large group nor a large input is held in memory.
 */
export interface ExistingContacts {
  add(contact: GroupContact): void;
  /** The first contact that a row of these keys is about. */
  find(wanted: readonly string[]): GroupContact | undefined;
  /** What the run makes of a contact: later rows are compared with that. */
  replace(contact: GroupContact): void;
  /** Was it in the group before the run? */
  has(id: string): boolean;
  get(id: string): GroupContact | undefined;
  /** The earliest row that has one of these keys. */
  earlierRow(wanted: readonly string[]): EarlierRow | undefined;
  addRow(row: EarlierRow, indexed: readonly string[]): void;
}

/** @param match undefined: nothing is compared, only what was there before is remembered */
export function createExistingContacts(
  database: Database,
  match: readonly MatchKey[] | undefined,
): ExistingContacts {
  database.exec(schema);

  const indexKeys = (contact: GroupContact, position: number) => {
    if (match === undefined) return;
    const insert = database.prepare("INSERT OR IGNORE INTO member_keys (key, position) VALUES (?, ?)");
    for (const key of keysOf(contact, match).indexed) insert.run(key, position);
  };

  const contactOf = (row: Row | undefined): GroupContact | undefined => {
    const contact = row?.["contact"];
    return typeof contact === "string" ? groupContact(JSON.parse(contact)) : undefined;
  };

  return {
    add(contact) {
      const row = database
        .prepare(
          "INSERT INTO members (id, contact) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET contact = excluded.contact RETURNING position",
        )
        .get(contact.id, JSON.stringify(contact));
      indexKeys(contact, Number(row?.["position"]));
    },
    find(wanted) {
      let first: number | undefined;
      const lookUp = database.prepare("SELECT min(position) AS position FROM member_keys WHERE key = ?");
      for (const key of wanted) {
        const position = lookUp.get(key)?.["position"];
        if (typeof position === "number" && (first === undefined || position < first)) first = position;
      }
      if (first === undefined) return undefined;
      return contactOf(database.prepare("SELECT contact FROM members WHERE position = ?").get(first));
    },
    replace(contact) {
      const row = database
        .prepare("UPDATE members SET contact = ? WHERE id = ? RETURNING position")
        .get(JSON.stringify(contact), contact.id);
      if (row) indexKeys(contact, Number(row["position"]));
    },
    get: (id) => contactOf(database.prepare("SELECT contact FROM members WHERE id = ?").get(id)),
    has: (id) => database.prepare("SELECT 1 FROM members WHERE id = ?").get(id) !== undefined,
    earlierRow(wanted) {
      let first: EarlierRow | undefined;
      const lookUp = database.prepare("SELECT number, first_name, last_name FROM row_keys WHERE key = ?");
      for (const key of wanted) {
        const row = lookUp.get(key);
        const number = Number(row?.["number"]);
        if (row === undefined || (first !== undefined && number >= first.number)) continue;
        first = { number, first_name: String(row["first_name"]), last_name: String(row["last_name"]) };
      }
      return first;
    },
    addRow({ number, first_name, last_name }, indexed) {
      const insert = database.prepare(
        "INSERT OR IGNORE INTO row_keys (key, number, first_name, last_name) VALUES (?, ?, ?, ?)",
      );
      for (const key of indexed) insert.run(key, number, first_name, last_name);
    },
  };
}
