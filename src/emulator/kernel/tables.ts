import type { Database } from "../../base/database.js";

export const snapshotPrefix = "snapshot_";

/** Returns the names of all tables, except those that contain snapshots. */
export function listTableNames(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map((row) => String(row["name"]))
    .filter((name) => !name.startsWith(snapshotPrefix));
}

export function listColumnNames(database: Database, table: string): string[] {
  return database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map((row) => String(row["name"]));
}

/**
 * Empties tables. The caller must have started a transaction, because foreign keys are checked only at its
 * end.
 * @param tables must include every table that refers to one of these tables
 */
export function emptyTables(database: Database, tables: readonly string[]): void {
  database.exec("PRAGMA defer_foreign_keys = ON");
  for (const table of tables) database.exec(`DELETE FROM "${table}"`);
}
