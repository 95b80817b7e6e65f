import type { Database } from "../../base/database.js";

/**
 * Rows by their marks. `shielded`: invalid rows; resources that share a mark with them are not deleted (S2).
 * `named`: names of all rows, which distinguish a row's own resource from the duplicate of another (S4).
 */
export interface MarkedRows {
  add(marks: readonly string[], row: number): void;
  /** The first row that has one of these marks. */
  rowFor(marks: readonly string[]): number | undefined;
}

/** Replaces the row number if `--protect` names the resource. */
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
