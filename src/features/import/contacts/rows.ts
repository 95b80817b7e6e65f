import { isEmail } from "../../../contract/primitives.js";
import { namedColumn, type RowProblem } from "../../../write/input-row.js";
import { excerpt } from "../../../write/values.js";
import { errorColumn } from "../sources/surplus.js";
import type { SourceRow } from "../sources/types.js";
import { asText, cellIn, textsIn } from "./cells.js";
import { phrases } from "./earlier-error.js";
import { readEmails } from "./emails.js";
import { type ColumnPlan, type ContactField, contactFields } from "./headers.js";
import type { ImportContact } from "./import-contact.js";
import { isNoValue } from "./is-no-value.js";
import { cleanName, isProgramWord } from "./names.js";
import { readExported } from "./own-export.js";
import { type PhoneReading, phoneCellsOf, readPhoneCell } from "./phone-cells.js";
import type { NumberTaken } from "./phones.js";

export type ReadContact =
  | {
      contact: ImportContact;
      dropped?: readonly RowProblem[];
      remarks: Remarks;
    }
  | { problems: [RowProblem, ...RowProblem[]] };

/** Remarks about one row. If several values cause the same remark, only the first value is kept. */
export type Remarks = Partial<{
  /** Words in brackets that followed a number and were not imported. */
  droppedText: string | undefined;
  /** Number without the zero before its area code. */
  withoutZero: NumberTaken | undefined;
  /** Number that is valid in its country and, with a plus, in another country. */
  ambiguous: NumberTaken | undefined;
  /** Fax or pager number that was skipped. */
  otherDevice: string | undefined;
  /** Placeholder for "no value" in a phone or email column. */
  nothing: string | undefined;
  /** Placeholder in a name column. */
  noName: string | undefined;
  /** Name such as `Null` that might be a placeholder. */
  doubtfulName: string | undefined;
  /** Whether the contact has no phone number or email. */
  unreachable: true;
  /** Whether the row has fewer cells than the header. */
  short: true;
}>;

export interface RowReading extends PhoneReading {
  standIns: ColumnPlan["standIns"];
  isNothing?(text: string): boolean;
  /** Whether `contacts export` wrote the file, so that values are read verbatim. */
  isOwnExport?: boolean;
  /** Whether to import the valid cells of a row that has invalid cells. */
  keepsValid: boolean;
}

const notDecoded = "contains an HTML entity that can't be decoded: export the list without entities";

export function lacksFirstName(problems: readonly RowProblem[]): boolean {
  return problems.every(({ field, reason }) => field === "first_name" && reason === phrases.missing);
}

export function rowProblem({ names, values }: SourceRow, reason: string): RowProblem {
  const cells = values.map(asText).filter((_, index) => names[index] !== errorColumn);
  const filled = cells.filter((text) => text.trim() !== "");
  return { field: "row", value: excerpt(filled.join(" | ")), reason };
}

/**
 * Returns the trimmed and normalized contact in a row, or all problems of the row in field order. With
 * `keepsValid`, skips invalid cells if the row has a valid first name.
 */
export function readContact(row: SourceRow, reading: RowReading): ReadContact {
  const { columns, keepsValid } = reading;
  if (reading.isOwnExport) {
    const contact = readExported(row);
    const doubtfulName = [contact.first_name, contact.last_name].find(isProgramWord);
    return { contact, remarks: doubtfulName === undefined ? {} : { doubtfulName } };
  }
  const problem = row.problem ?? (isHeader(row) ? "repeats the header" : undefined);
  if (problem !== undefined) return { problems: [rowProblem(row, problem)] };
  const problems: RowProblem[] = [];
  const report = (field: ContactField, value: string, reason: string, index = -1) => {
    problems.push({ field, ...namedColumn(field, row.names[index]), value: excerpt(value), reason });
  };
  const cells = (field: ContactField) => cellsOf(row, field, reading);
  if (row.unreadable !== undefined) {
    for (const field of contactFields) {
      for (const index of columns[field]) {
        const reason = row.unreadable.get(index);
        if (reason !== undefined) report(field, asText(row.values[index]), reason, index);
      }
    }
  }

  const remarks: Remarks = {};
  const name = (field: "first_name" | "last_name"): string => {
    const parts: string[] = [];
    for (const { index, value } of cells(field)) {
      const written = asText(value).trim();
      if (typeof value === "object" && value !== null) report(field, asText(value), "must be text", index);
      else {
        const text = reading.isNothing?.(written) === true ? "" : cleanName(written);
        if (text === undefined) report(field, written, notDecoded, index);
        else if (text !== "") parts.push(text);
        else if (written !== "") remarks.noName ??= written;
        if (text !== undefined && isProgramWord(text)) remarks.doubtfulName ??= text;
      }
    }
    return parts.join(" ");
  };
  const ownName = name("first_name");
  const standIn = ownName === "" ? standInOf(row, reading) : undefined;
  const first_name = standIn?.text ?? ownName;
  // A first name is required (public.contact.fields).
  if (first_name === "" && problems.length === 0) {
    const written = cells("first_name").map(({ value }) => asText(value));
    report("first_name", written.join(" "), phrases.missing, columns.first_name[0]);
  }
  // Don't use one cell as both first and last name.
  const isLastName = standIn !== undefined && columns.last_name.includes(standIn.index);
  const last_name = isLastName ? "" : name("last_name");

  const isFilled = (text: string) => {
    if (!isNoValue(text) && reading.isNothing?.(text) !== true) return true;
    remarks.nothing ??= text.trim();
    return false;
  };
  const phone_numbers = new Set<string>();
  for (const cell of phoneCellsOf(row, reading)) {
    if (!isFilled(cell.text)) continue;
    const result = readPhoneCell(cell, reading.phones);
    if ("reason" in result) report("phone_numbers", result.value, result.reason, cell.index);
    else {
      const { numbers, ...more } = result;
      Object.assign(remarks, { ...more, ...remarks });
      for (const number of numbers) phone_numbers.add(number);
    }
  }

  const emails = new Map<string, string>();
  for (const { index, value } of cells("emails")) {
    for (const text of textsIn([value]).filter(isFilled)) {
      const result = readEmails(text);
      if ("reason" in result) report("emails", result.value, result.reason, index);
      else {
        for (const address of result.addresses) {
          const known = address.toLowerCase();
          if (!emails.has(known)) emails.set(known, address);
        }
      }
    }
  }

  const [first, ...moreProblems] = problems;
  if (first && (!keepsValid || first_name === "")) return { problems: [first, ...moreProblems] };
  return {
    contact: { first_name, last_name, phone_numbers: [...phone_numbers], emails: [...emails.values()] },
    ...(first === undefined ? {} : { dropped: problems }),
    remarks: {
      ...remarks,
      ...(phone_numbers.size + emails.size === 0 && { unreachable: true }),
    },
  };
}

/**
 * Returns the readable parts of an invalid row. The cells of a malformed row might not match the header, so
 * any cell may be a phone number or an email.
 */
export function readLoosely(row: SourceRow, reading: RowReading): ImportContact {
  const { columns, phones } = reading;
  const anywhere =
    row.problem === undefined ? undefined : row.values.flatMap((cell) => asText(cell).split("\n"));
  const texts = (field: ContactField) =>
    (anywhere ?? textsIn(cellsOf(row, field, reading).map(({ value }) => value)))
      .map((text) => text.trim())
      .filter((text) => text !== "");
  const numbers =
    anywhere === undefined
      ? phoneCellsOf(row, reading).flatMap(({ text, context }) => phones.candidates(text, context.plan))
      : texts("phone_numbers").flatMap((text) => phones.candidates(text));
  const emails = texts("emails").flatMap((text) => text.split(/[\s;,/|<>]+/).filter(isEmail));
  const name = (field: "first_name" | "last_name") =>
    (anywhere === undefined ? texts(field) : columns[field].map((index) => asText(row.values[index]).trim()))
      .map((text) => cleanName(text) ?? text)
      .join(" ");
  return {
    first_name: name("first_name") || (standInOf(row, reading)?.text ?? ""),
    last_name: name("last_name"),
    phone_numbers: [...new Set(numbers)],
    emails,
  };
}

function standInOf(
  { values, unreadable }: SourceRow,
  { standIns, isNothing }: RowReading,
): { index: number; text: string } | undefined {
  for (const index of standIns) {
    const text = unreadable?.has(index) ? "" : cleanName(asText(values[index]));
    if (text !== undefined && text !== "" && isNothing?.(text) !== true) return { index, text };
  }
  return undefined;
}

function cellsOf(
  row: SourceRow,
  field: ContactField,
  { columns, pairs }: Pick<RowReading, "columns" | "pairs">,
): { index: number; value: unknown }[] {
  return columns[field]
    .filter((index) => !row.unreadable?.has(index))
    .map((index) => ({ index, value: cellIn(row, index, field, pairs) }));
}

/** Returns whether a row repeats the column names, as in printed or merged lists. */
function isHeader({ names, values }: SourceRow): boolean {
  // Most rows take this fast path.
  if (values[0] !== names[0] && values[1] !== names[1]) return false;
  const filled = values.flatMap((value, index) =>
    value === "" || names[index] === errorColumn ? [] : [index],
  );
  return filled.length > 1 && filled.every((index) => values[index] === names[index]);
}
