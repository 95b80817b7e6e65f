import type { Database, Row } from "../../../base/database.js";
import { recordOf } from "../../../write/values.js";
import { type Certainty, findSurest, type Matcher } from "../matcher.js";

export interface FoundRow {
  table: string;
  key: Readonly<Record<string, Row[string]>>;
  certainty: Certainty;
}

const rowid = "voxctl_rowid";

/** @throws the driver's error */
export function* findRows(database: Database, matcher: Matcher): Generator<FoundRow, void> {
  for (const table of listTables(database)) {
    const keys = listKeyColumns(database, table);
    // Without an alias, the driver may return the rowid under another column's name.
    const selected = keys.includes(rowid) ? `rowid AS ${rowid}, *` : "*";
    for (const row of database.prepare(`SELECT ${selected} FROM ${quoteName(table)}`).iterate()) {
      const columnMatches = Object.entries(row).flatMap(([column, value]) => {
        if (column === rowid) return [];
        const matches = toTexts(column, value).flatMap((text) => matcher.find(text));
        return matches.length > 0 ? [matches] : [];
      });
      if (columnMatches.length === 0) continue;
      const all = columnMatches.flatMap((matches) => matches.map(({ certainty }) => certainty));
      yield {
        table,
        key: Object.fromEntries(keys.map((name) => [name, row[name] ?? null])),
        certainty: findSurest(all),
      };
    }
  }
}

/** Tables whose rows describe a whole run. Their rows can't be deleted. */
const wholeTables = new Set(["settings", "info"]);

/**
 * Deletes rows and overwrites their bytes in the file.
 * @returns the rows that were kept
 */
export function deleteRows(database: Database, rows: readonly FoundRow[]): FoundRow[] {
  const left = rows.filter(({ table }) => wholeTables.has(table));
  database.exec("PRAGMA secure_delete = ON");
  database.transaction(() => {
    for (const { table, key } of rows) {
      if (wholeTables.has(table)) continue;
      deleteDigest(database, table, key);
      const condition = Object.keys(key).map((name) => `${name === rowid ? "rowid" : quoteName(name)} IS ?`);
      const deleted = database
        .prepare(`DELETE FROM ${quoteName(table)} WHERE ${condition.join(" AND ")}`)
        .run(...Object.values(key));
      if (deleted !== 1) throw new TypeError(`a row in ${table} could not be deleted`);
    }
  });
  database.exec("VACUUM");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return left;
}

/** Deletes the hash of an input row, because the phone number could be found by hashing all numbers. */
function deleteDigest(database: Database, table: string, key: FoundRow["key"]): void {
  if (table !== "items" || !listColumns(database, "file_rows").includes("digest")) return;
  database.prepare("DELETE FROM file_rows WHERE number = ?").run(key[rowid] ?? null);
}

function listTables(database: Database): string[] {
  return database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .all()
    .map(({ name }) => String(name));
}

function listColumns(database: Database, table: string): string[] {
  return database
    .prepare(`PRAGMA table_info(${quoteName(table)})`)
    .all()
    .map(({ name }) => String(name));
}

/** Returns the columns that identify a row: `voxctl_rowid`, or the primary key of a table without rowid. */
function listKeyColumns(database: Database, table: string): string[] {
  const { wr } = recordOf(database.prepare(`PRAGMA table_list(${quoteName(table)})`).get());
  if (wr !== 1) return [rowid];
  return database
    .prepare(`PRAGMA table_info(${quoteName(table)})`)
    .all()
    .filter(({ pk }) => Number(pk) > 0)
    .map(({ name }) => String(name));
}

/**
 * A key in a run starts with a letter for its type, such as `p4915112345678`; the key is also returned
 * without this letter.
 */
function toTexts(column: string, value: Row[string] | undefined): string[] {
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value;
  if (typeof text !== "string") return [];
  return column === "key" && /^[pe]\S/.test(text) ? [text, text.slice(1)] : [text];
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;
