import type { Database } from "../../base/database.js";
import { contactFields } from "../contacts/headers.js";
import { contactOf, nameText } from "../contacts/identity.js";
import type { ContactInput } from "../contacts/input.js";
import { BulkError } from "../errors.js";
import { type Fields, isAlike, normalized, normalizedText } from "../fields.js";
import type { SourceRow } from "../sources/types.js";

/** `FIELD=VALUE` of `--protect-where`. */
export interface FieldValue {
  field: string;
  value: string;
}

/** @throws BulkError `invalid_protection` for what is no field of a contact */
export function parseFieldValue(text: string): FieldValue {
  const at = text.indexOf("=");
  const field = text.slice(0, Math.max(0, at)).trim();
  if (contactFields.some((name) => name === field)) return { field, value: text.slice(at + 1) };
  throw new BulkError(
    "invalid_protection",
    `--protect-where: “${text}” is not FIELD=VALUE`,
    `the fields are ${contactFields.join(", ")}`,
  );
}

/** Has the contact this value, or one of its list? */
export function hasValue(contact: Fields, { field, value }: FieldValue): boolean {
  const own = contact[field];
  const entries: unknown[] = Array.isArray(own) ? own : [own];
  return entries.some((entry) => isAlike(field, entry, value));
}

const schema =
  "CREATE TABLE IF NOT EXISTS shielded (mark TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID";

/** Contacts that share something with rows that can't be used: these are not deleted (S2). */
export interface Shield {
  add(marks: readonly string[], row: number): void;
  /** The first row that shares a number, an e-mail or the full name with the contact. */
  rowFor(contact: Fields): number | undefined;
}

export function createShield(database: Database): Shield {
  database.exec(schema);
  return {
    add(marks, row) {
      const insert = database.prepare("INSERT OR IGNORE INTO shielded VALUES (?, ?)");
      for (const mark of marks) insert.run(mark, row);
    },
    rowFor(contact) {
      const find = database.prepare("SELECT number FROM shielded WHERE mark = ?");
      for (const mark of marksOf(contact)) {
        const number = find.get(mark)?.["number"];
        if (number !== undefined) return Number(number);
      }
      return undefined;
    },
  };
}

/** Numbers, e-mails and the full name of a contact, as marks. */
function marksOf(fields: Fields): string[] {
  const { first_name, last_name, phone_numbers, emails } = contactOf(fields);
  const marks = [
    ...phone_numbers.map((number) => `p${String(normalized("phone_numbers", number))}`),
    ...emails.map((email) => `e${normalizedText(email)}`),
  ];
  return [...marks, ...nameMarks(first_name, last_name)];
}

/** Whichever of the two is written first. */
function nameMarks(first: string, last: string): string[] {
  const names = [
    nameText({ first_name: first, last_name: last }),
    nameText({ first_name: last, last_name: first }),
  ];
  return names.filter((name) => name !== "").map((name) => `n${normalizedText(name)}`);
}

/** The readable part of a row that can't be used as a whole: every cell is looked at by itself. */
export function marksOfRow(input: ContactInput, row: SourceRow): string[] {
  return marksOf({ ...input.readLoosely(row) });
}
