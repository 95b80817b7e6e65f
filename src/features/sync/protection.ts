import type { Database } from "../../base/database.js";

/**
 * Finds rows by their identifying values (marks), such as numbers and names. The table `shielded` contains rows
 * that protect contacts with the same value from deletion. The table `named` contains the names in valid rows.
 */
export interface MarkedRows {
  add(marks: readonly string[], row: number): void;
  rowFor(marks: readonly string[]): number | undefined;
}

/** Row number that stands for the `--protect` file. */
export const protectMark = 0;

export function markedRows(database: Database, table: "shielded" | "named"): MarkedRows {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${table} (mark TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID`,
  );
  return {
    add(marks, row) {
      const insert = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?, ?)`);
      for (const mark of marks) insert.run(mark, row);
    },
    rowFor(marks) {
      const find = database.prepare(`SELECT number FROM ${table} WHERE mark = ?`);
      for (const mark of marks) {
        const number = find.get(mark)?.["number"];
        if (number !== undefined) return Number(number);
      }
      return undefined;
    },
  };
}
