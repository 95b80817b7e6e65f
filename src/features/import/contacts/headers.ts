import { BulkError } from "../../../write/errors.js";
import { columnList } from "../sources/header.js";
import { errorColumn } from "../sources/surplus.js";
import type { HeaderTable } from "./header-table.js";
import { englishHeaders } from "./headers-english.js";
import { germanHeaders } from "./headers-german.js";
import { outlookHeaders } from "./headers-outlook.js";
import { isAddress } from "./is-address.js";
import { type PhoneColumns, planPhoneColumns, positionsIn } from "./phone-columns.js";

export const contactFields = ["first_name", "last_name", "phone_numbers", "emails"] as const;
export type ContactField = (typeof contactFields)[number];

/**
 * A column whose cells contain several fields, such as `Name, Vorname`. The order of `fields` is the order in
 * a cell.
 */
export interface Pair {
  readonly fields: readonly ContactField[];
  readonly column: string;
}

/** The names of each field's columns, in the order in which their values are read. */
export type HeaderMap = Readonly<Partial<Record<ContactField, readonly string[]>>> & {
  readonly pairs?: readonly Pair[];
  /** Columns that replace an empty first name, as in `Vorname||Firma`: the first that has a value in the row. */
  readonly standIns?: readonly string[];
};

export interface ColumnPlan {
  readonly columns: Readonly<Record<ContactField, readonly number[]>>;
  readonly pairs: ReadonlyMap<number, readonly ContactField[]>;
  /** Positions of the columns that can replace an empty first name, in order of preference. */
  readonly standIns: readonly number[];
  /** Columns with details about a phone column, such as area codes, by the position of the phone column. */
  readonly phoneColumns: ReadonlyMap<number, PhoneColumns>;
  readonly unread: readonly string[];
  /** Name of the column that is used as the first name because the file has no first-name column. */
  readonly wholeName?: string;
}

const tables = [englishHeaders, germanHeaders];
const programs = [...tables.flatMap((table) => table.programs), ...outlookHeaders];

function wordsOf(part: (table: HeaderTable) => readonly string[]): string[] {
  return [...new Set(tables.flatMap(part).map(plainHeader))];
}

const words = {
  first_name: new Set([
    ...wordsOf(({ firstName }) => firstName),
    ...programs.flatMap(({ first_name }) => first_name.map(plainHeader)),
  ]),
  last_name: new Set([
    ...wordsOf(({ lastName }) => lastName),
    ...programs.flatMap(({ last_name }) => last_name.map(plainHeader)),
  ]),
  /** `Name` is the last name, or the first name if the file has no first-name column. */
  name: new Set(wordsOf(({ name }) => name)),
  wholeName: new Set(wordsOf(({ wholeName }) => wholeName)),
};

const listed = {
  phone_numbers: new Set(programs.flatMap(({ phone_numbers }) => phone_numbers.map(plainHeader))),
  emails: new Set(programs.flatMap(({ emails }) => emails.map(plainHeader))),
  ignored: new Set(programs.flatMap(({ ignored }) => ignored.map(plainHeader))),
};

const qualifier = wordsOf(({ qualifiers }) => qualifiers).join("|");
const qualifierBehind = `${qualifier}|${wordsOf(({ qualifiersBehind }) => qualifiersBehind).join("|")}`;
const phone = wordsOf((table) => table.phone)
  .flatMap((word) => [word, word.replace(/nummer$/, "nr")])
  .join("|");
const email = wordsOf((table) => table.email).join("|");
const phonePattern = new RegExp(`^(?:${qualifier})*(?:${phone})+(?:${qualifierBehind})*\\d*(?:value)?$`);
const labelPattern = new RegExp(`^(?:${qualifierBehind}|${phone})+\\d*$`);
const typePattern = new RegExp(`^(?:${qualifier}|${phone})(?:${qualifierBehind}|${phone})*\\d*$`);
const emailPattern = new RegExp(
  `^(?:${qualifier})*(?:${email})(?:${qualifierBehind})*\\d*(?:value|adresse|address)?$`,
);

function isColumnOf(field: "phone_numbers" | "emails", pattern: RegExp): (header: string) => boolean {
  return (header) => !listed.ignored.has(header) && (listed[field].has(header) || pattern.test(header));
}

export function isPhoneWord(word: string): boolean {
  return !/^rufn(?:umme)?r$/.test(word) && phonePattern.test(word);
}

/** Returns whether the words next to a number only specify the number's type: `Tel. priv.`, `Office`. */
export function isPhoneLabel(label: string): boolean {
  return labelPattern.test(plainHeader(label));
}

/** Returns whether a label specifies a number's type. `No` doesn't: it can also be a word within a number. */
export function isPhoneType(label: string): boolean {
  return typePattern.test(plainHeader(label));
}

/** Converts a header to lowercase ASCII letters and digits, for comparison. */
export function plainHeader(header: string): string {
  return header
    .toLowerCase()
    .replace(/ä/g, "ae")
    .replace(/ö/g, "oe")
    .replace(/ü/g, "ue")
    .replace(/ß/g, "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "");
}

/** Finds the columns of each field: the mapped columns, or columns with known names. */
export function planColumns(names: readonly string[], map: HeaderMap = {}): ColumnPlan {
  const taken = new Map<number, ContactField>();
  const columns: Record<ContactField, number[]> = {
    first_name: [],
    last_name: [],
    phone_numbers: [],
    emails: [],
  };
  const pairs = new Map<number, readonly ContactField[]>();
  const give = (field: ContactField, index: number) => {
    columns[field].push(index);
    taken.set(index, field);
  };
  const givePair = (fields: readonly ContactField[], index: number) => {
    pairs.set(index, fields);
    for (const field of fields) give(field, index);
  };
  for (const { fields, column } of map.pairs ?? []) {
    for (const index of positionsOf(names, column)) givePair(fields, index);
  }
  for (const field of contactFields) {
    for (const column of map[field] ?? []) {
      for (const index of positionsOf(names, column)) give(field, index);
    }
  }
  const headers = names.map(plainHeader);
  const mappedInPairs = new Set((map.pairs ?? []).flatMap(({ fields }) => fields));
  const giveKnown = (field: ContactField, isKnown: (header: string) => boolean, single = false) => {
    if (map[field] !== undefined || mappedInPairs.has(field)) return;
    for (const [index, header] of headers.entries()) {
      if (taken.has(index) || !isKnown(header)) continue;
      give(field, index);
      if (single) return;
    }
  };
  giveKnown("first_name", (header) => words.first_name.has(header), true);
  giveKnown("last_name", (header) => words.last_name.has(header), true);
  giveKnown("phone_numbers", isColumnOf("phone_numbers", phonePattern));
  giveKnown("emails", isColumnOf("emails", emailPattern));

  let wholeName: string | undefined;
  if (columns.first_name.length + columns.last_name.length === 0) {
    const index = names.findIndex((name, at) => !taken.has(at) && pairIn(name) !== undefined);
    const fields = pairIn(names[index] ?? "");
    if (fields?.every((field) => map[field] === undefined)) givePair(fields, index);
  }
  if (columns.first_name.length > 0) {
    if (columns.last_name.length === 0) giveKnown("last_name", (header) => words.name.has(header), true);
  } else {
    giveKnown("first_name", (header) => words.name.has(header), true);
    if (columns.first_name.length === 0)
      giveKnown("first_name", (header) => words.wholeName.has(header), true);
    const index = columns.first_name[0];
    wholeName = index === undefined ? undefined : names[index];
  }
  const standIns = (map.standIns ?? []).flatMap((column) => positionsOf(names, column));
  const phoneColumns = planPhoneColumns(headers, columns.phone_numbers, (index) => taken.has(index));
  const read = new Set([...taken.keys(), ...standIns, ...[...phoneColumns.values()].flatMap(positionsIn)]);
  const unread = names.filter((name, index) => !read.has(index) && name !== "" && name !== errorColumn);
  return {
    columns,
    pairs,
    standIns,
    phoneColumns,
    unread,
    ...(wholeName === undefined ? {} : { wholeName }),
  };
}

/**
 * Returns the fields of a header that consists of two column names: `Name, Vorname`, `First Name Last Name`.
 */
function pairIn(header: string): readonly ContactField[] | undefined {
  const fieldOf = (part: string): ContactField | undefined => {
    const word = plainHeader(part);
    if (words.first_name.has(word)) return "first_name";
    return words.last_name.has(word) || words.name.has(word) ? "last_name" : undefined;
  };
  const whole = plainHeader(header);
  if ([words.first_name, words.last_name, words.name, words.wholeName].some((known) => known.has(whole)))
    return undefined;
  const parts = header.split(/\s*(?:[,;/&+]|\bund\b|\band\b)\s*|\s+/).filter((part) => part !== "");
  for (let at = 1; at < parts.length; at += 1) {
    const fields = [fieldOf(parts.slice(0, at).join("")), fieldOf(parts.slice(at).join(""))];
    const [firstField, secondField] = fields;
    if (firstField !== undefined && secondField !== undefined && firstField !== secondField)
      return [firstField, secondField];
  }
  return undefined;
}

/**
 * Weight of each known column in a row without the mapped columns. Any row with the mapped columns scores
 * higher.
 */
const byWordsAlone = 1 / 1_000;

/**
 * Returns the number of known columns in a row; 0 if the row can't be a header. A row without the mapped
 * columns gets a low score instead of 0, so that the error about a missing column lists the header and not a
 * title.
 */
export function knownColumns(cells: readonly string[], map: HeaderMap): number {
  return countKnown(cells, map) || countKnown(cells, {}) * byWordsAlone;
}

export function identifyingColumns(
  names: readonly string[],
  map: HeaderMap,
  keyColumn: string | undefined,
): number[] {
  const { phone_numbers, emails } = planColumns(names, map).columns;
  return [...phone_numbers, ...emails, ...(keyColumn === undefined ? [] : positionsOf(names, keyColumn))];
}

/**
 * Returns 0 unless there is a first-name column and another known column, because a single word may match by
 * chance.
 */
function countKnown(cells: readonly string[], map: HeaderMap): number {
  const { columns, pairs } = planColumns(cells, map);
  const { first_name, last_name, phone_numbers, emails } = columns;
  const otherColumns = last_name.length + phone_numbers.length + emails.length;
  return first_name.length === 0 || otherColumns === 0 ? 0 : first_name.length + otherColumns - pairs.size;
}

/**
 * Splits a cell at commas, or at spaces if it contains no comma. A single word is the first name, because
 * contacts need a first name.
 */
export function splitPair(cell: string, fields: readonly ContactField[]): readonly string[] {
  const text = cell.trim();
  const separator = text.includes(",") ? ", " : " ";
  const parts = text.split(separator === " " ? /\s+/ : /\s*,\s*/);
  if (parts.length === 1) {
    const only = Math.max(0, fields.indexOf("first_name"));
    return fields.map((_, index) => (index === only ? text : ""));
  }
  const last = fields.length - 1;
  const rest = parts.slice(last).join(separator);
  return fields.map((_, index) => (index === last ? rest : (parts[index] ?? "")));
}

/** Returns the columns with this exact name. If no such column exists, ignores case and punctuation. */
export function positionsOf(names: readonly string[], column: string): number[] {
  const matching = (same: (name: string) => boolean) =>
    names.flatMap((name, index) => (same(name) ? [index] : []));
  const exact = matching((name) => name === column);
  if (exact.length > 0) return exact;
  const wantedHeader = plainHeader(column);
  return wantedHeader === "" ? [] : matching((name) => plainHeader(name) === wantedHeader);
}

/** @throws BulkError if the file has no header, lacks a mapped column, or has no column for the first name */
export function checkColumns(names: readonly string[], map: HeaderMap, plan: ColumnPlan, file: string): void {
  const list = columnList(names);
  for (const field of contactFields) {
    const inPairs = (map.pairs ?? []).flatMap((pair) => (pair.fields[0] === field ? [pair.column] : []));
    const standIns = field === "first_name" ? (map.standIns ?? []) : [];
    for (const column of [...(map[field] ?? []), ...inPairs, ...standIns]) {
      if (positionsOf(names, column).length > 0) continue;
      throw new BulkError(
        "unknown_column",
        `--map: ${file} has no column "${column}"`,
        `use one of the file's columns: ${list}`,
      );
    }
  }
  const contact = names.find((name) => isAddress(name.trim()));
  if (contact !== undefined && countKnown(names, {}) === 0)
    throw new BulkError(
      "no_header",
      `${file} has no header row: a column name can't be ${JSON.stringify(contact)}`,
      "add a first line with the column names, such as Vorname;Nachname;Telefon",
    );
  if (plan.columns.first_name.length === 0) {
    throw new BulkError(
      "no_name_column",
      `no column found for the first name in ${file}`,
      `select a column with --map first_name=COLUMN; columns: ${list}`,
    );
  }
}
