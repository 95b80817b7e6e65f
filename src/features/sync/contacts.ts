import { BulkError } from "../../write/errors.js";
import { type Fields, normalized, normalizedText } from "../../write/fields.js";
import { contactAdapter } from "../import/contacts/adapter.js";
import { contactFields } from "../import/contacts/headers.js";
import { contactOf, type MatchKey, nameText } from "../import/contacts/identity.js";
import { inputRow } from "../import/contacts/import.js";
import type { ContactInput } from "../import/contacts/input.js";
import { isTable } from "../import/sources/header.js";
import { inputName } from "../import/sources/name.js";
import type { SourceRow } from "../import/sources/types.js";
import type { ProtectFile, SyncSubject } from "./task.js";

export function contactSubject(
  input: ContactInput,
  { match, clearEmpty }: { match: readonly MatchKey[]; clearEmpty: readonly string[] | undefined },
): SyncSubject {
  const { source, names, survey, columns } = input;
  return {
    adapter: contactAdapter(match),
    ...{ noun: "contact", plural: "contacts", digest: source.digest, names },
    ...{ rowCount: survey.rows, incomplete: survey.incomplete },
    // Only CSV requires a line ending: a truncated last row may look complete. In other formats, a truncated
    // file is invalid.
    endsWithLineEnd: source.format !== "csv" || source.endsWithLineEnd,
    canBeCut: true,
    unnamed: [],
    unmapped: isTable(source) ? contactFields.filter((field) => columns.columns[field].length === 0) : [],
    rows: () =>
      input.rows((row, read) => ({
        source: row,
        row: inputRow(input, row, read, clearEmpty),
        marks: () => [
          ...marksOf({ ...input.readLoosely(row) }),
          ...(input.isHeading(row) ? row.values.flatMap(partMarks) : []),
        ],
      })),
    marksOf(record) {
      const { first_name, last_name } = contactOf(record);
      return [...marksOf(record), ...partMarks(first_name), ...partMarks(last_name)];
    },
    namesOf(record) {
      const { first_name, last_name } = contactOf(record);
      return nameMarks(first_name, last_name);
    },
    namesAlone(record) {
      const { first_name, last_name, phone_numbers, emails } = contactOf(record);
      return phone_numbers.length + emails.length === 0 ? nameMarks(first_name, last_name) : [];
    },
    textOf(record) {
      const contact = contactOf(record);
      return [nameText(contact), ...contact.phone_numbers, ...contact.emails].join("  ");
    },
  };
}

/**
 * @throws BulkError `file_incomplete` if the file is truncated: contacts in missing rows would not be
 * protected
 */
export function protectedContacts(input: ContactInput): ProtectFile {
  const { incomplete } = input.survey;
  if (incomplete !== undefined)
    throw new BulkError(
      "file_incomplete",
      `--protect: ${inputName(input.source.name)} is incomplete: line ${incomplete.line} ${incomplete.reason}`,
      "fix the file; no flag skips this check",
    );
  return {
    digest: input.source.digest,
    async *rows() {
      // Without a header, treat every cell as a possible number or email.
      const loosely = (row: SourceRow) => (input.isBare ? { problem: "no header", ...row } : row);
      const markedRow = (source: SourceRow) => ({
        source,
        marks: () => marksOf({ ...input.readLoosely(loosely(source)) }),
      });
      const { names } = input;
      if (input.isBare) yield markedRow({ number: 1, line: 1, names, values: names });
      yield* input.rows(markedRow);
    },
  };
}

/**
 * Returns a contact's identifying values: its numbers, emails and full name. An invalid row with one of these
 * values may refer to the contact.
 */
function marksOf(fields: Fields): string[] {
  const { first_name, last_name, phone_numbers, emails } = contactOf(fields);
  const marks = [
    ...phone_numbers.map((number) => `p${String(normalized("phone_numbers", number))}`),
    ...emails.map((email) => `e${normalizedText(email)}`),
  ];
  return [...marks, ...nameMarks(first_name, last_name)];
}

/**
 * Returns the names in a cell as identifying values: a first name, a last name or both. These values prevent
 * the deletion of a contact to which an invalid row may refer.
 */
function partMarks(cell: unknown): string[] {
  const text = typeof cell === "string" ? cell.trim() : "";
  const [last = "", first = ""] = text.split(/\s*,\s*/, 2);
  const names = [text, `${first} ${last}`.trim()].filter((name) => name !== "");
  return names.flatMap((name) => [`a${normalizedText(name)}`, `n${normalizedText(name)}`]);
}

/**
 * Returns a full name in both orders as identifying values, because a row may swap the first and the last name.
 */
function nameMarks(first: string, last: string): string[] {
  const names = [
    nameText({ first_name: first, last_name: last }),
    nameText({ first_name: last, last_name: first }),
  ];
  return names.filter((name) => name !== "").map((name) => `n${normalizedText(name)}`);
}
