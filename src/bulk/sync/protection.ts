import type { Database } from "../../base/database.js";
import { BulkError } from "../errors.js";
import { type Fields, isAlike } from "../fields.js";

/** `FIELD=VALUE` of `--protect-where`. */
export interface FieldValue {
  field: string;
  value: string;
}

/** @throws BulkError `invalid_protection` for what is not one of the fields */
export function parseFieldValue(text: string, fields: readonly string[]): FieldValue {
  const at = text.indexOf("=");
  const field = text.slice(0, Math.max(0, at)).trim();
  if (fields.some((name) => name === field)) return { field, value: text.slice(at + 1) };
  throw new BulkError(
    "invalid_protection",
    `--protect-where: “${text}” is not FIELD=VALUE`,
    `the fields are ${fields.join(", ")}`,
  );
}

/** Has the thing this value, or one of its list? */
export function hasValue(record: Fields, { field, value }: FieldValue): boolean {
  const own = record[field];
  const entries: unknown[] = Array.isArray(own) ? own : [own];
  return entries.some((entry) => isAlike(field, entry, value));
}

/**
 * Rows by their marks: `shielded` of rows that can't be used, with which a thing shares something that is not deleted
 * (S2); `named` of all rows, by names alone, which tell a row's own thing from another's duplicate (S4).
 */
export interface MarkedRows {
  add(marks: readonly string[], row: number): void;
  /** The first row that has one of these marks. */
  rowFor(marks: readonly string[]): number | undefined;
}

/** In place of a row's number: `--protect` names the thing. */
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
