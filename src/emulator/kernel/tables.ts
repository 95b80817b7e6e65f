import type { Database } from "../../base/database.js";

/** Prefix of tables that contain the rows of snapshots. */
export const snapshotPrefix = "snapshot_";

/** Returns the database's tables, except tables for snapshots. */
export function listTableNames(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map((row) => String(row["name"]))
    .filter((name) => !name.startsWith(snapshotPrefix));
}

/** Returns the writable columns of a table. */
export function listColumnNames(database: Database, table: string): string[] {
  return database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map((row) => String(row["name"]));
}

/**
 * Empties tables in a transaction, in an order that satisfies references. @param tables must include every table that refers to any of
 * these tables
 */
export function emptyTables(database: Database, tables: readonly string[]): void {
  database.exec("PRAGMA defer_foreign_keys = ON");
  for (const table of tables) database.exec(`DELETE FROM "${table}"`);
}
