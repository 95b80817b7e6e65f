import type { Database } from "../../base/database.js";

/**
 * Rows indexed by marks, such as numbers and names. A resource that shares a mark with a row in `shielded`, such as an
 * invalid row, is not deleted. `named` contains the names in the valid rows, which show whether a resource has its own
 * row or is a duplicate of another row's resource.
 */
export interface MarkedRows {
  add(marks: readonly string[], row: number): void;
  /** Returns the first row with one of these marks. */
  rowFor(marks: readonly string[]): number | undefined;
}

/** Row number that represents the `--protect` file. */
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
