import { BulkError } from "../errors.js";
import { columnList } from "../sources/header.js";

export const contactFields = ["first_name", "last_name", "phone_numbers", "emails"] as const;
export type ContactField = (typeof contactFields)[number];

/** Which columns a field is read from, by their names; the order is the order of the values. */
export type HeaderMap = Readonly<Partial<Record<ContactField, readonly string[]>>>;

export interface ColumnPlan {
  /** Positions of the columns that feed a field, in order. */
  readonly columns: Readonly<Record<ContactField, readonly number[]>>;
  /** Names of the columns that nothing reads. */
  readonly unread: readonly string[];
  /** A column of whole names stands in for the first name: its name. */
  readonly wholeName?: string;
}

const words = {
  first_name: new Set([
    "vorname",
    "vornamen",
    "rufname",
    "firstname",
    "givenname",
    "forename",
    "first",
    "fname",
  ]),
  last_name: new Set([
    ...["nachname", "nachnamen", "familienname", "zuname"],
    ...["lastname", "surname", "familyname", "last", "lname"],
  ]),
  /** Without a column of first names, the best there is; beside one, `Name` is the last name. */
  name: new Set(["name", "namen"]),
  wholeName: new Set([
    ...["fullname", "displayname", "contactname", "contact", "customername", "customer"],
    ...["anzeigename", "vollername", "kontakt", "kontaktname", "kunde", "kundenname", "ansprechpartner"],
  ]),
};

const qualifier =
  "privat|private|home|zuhause|geschaeftlich|geschaeft|business|work|arbeit|dienstlich|dienst|beruflich|firma|firmen|" +
  "buero|office|zentrale|main|haupt|primary|secondary|other|weitere|weiterer|zweite|second|alternativ|durchwahl|" +
  "kontakt|contact|kunden|personal|nr|no|number|numbers|nummer|nummern|rufnummer|value|wert";
const phone =
  "telefon|telephone|telefonnummer|telefonnummern|telefonnr|tel|phone|phones|phonenumber|phonenumbers|fon|" +
  "festnetz|landline|rufnummer|mobil|mobile|mobiltelefon|mobilfunk|mobilnummer|mobilnr|handy|handynummer|handynr|" +
  "cell|cellphone|cellular|durchwahl";
const email =
  "email|emails|mail|mailadresse|emailadresse|emailadressen|emailaddress|emailaddresses|eMailAdresse";
const phonePattern = new RegExp(`^(?:${qualifier})*(?:${phone})+(?:${qualifier})*\\d*(?:value)?$`);
const emailPattern = new RegExp(
  `^(?:${qualifier})*(?:${email.toLowerCase()})(?:${qualifier})*\\d*(?:value)?$`,
);

/** A header without what people write differently: case, spaces, dots, dashes, umlauts. */
function plain(header: string): string {
  return header
    .toLowerCase()
    .replace(/ä/g, "ae")
    .replace(/ö/g, "oe")
    .replace(/ü/g, "ue")
    .replace(/ß/g, "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "");
}

/**
 * Decides which columns of a file feed which field: those that the user mapped, else those whose English or German
 * header is known.
 */
export function planColumns(names: readonly string[], map: HeaderMap = {}): ColumnPlan {
  const taken = new Map<number, ContactField>();
  const columns: Record<ContactField, number[]> = {
    first_name: [],
    last_name: [],
    phone_numbers: [],
    emails: [],
  };
  const give = (field: ContactField, index: number) => {
    columns[field].push(index);
    taken.set(index, field);
  };
  for (const field of contactFields) {
    for (const column of map[field] ?? []) {
      for (const index of positionsOf(names, column)) give(field, index);
    }
  }
  const headers = names.map(plain);
  const giveKnown = (field: ContactField, isKnown: (header: string) => boolean, single = false) => {
    if (map[field] !== undefined) return;
    for (const [index, header] of headers.entries()) {
      if (taken.has(index) || !isKnown(header)) continue;
      give(field, index);
      if (single) return;
    }
  };
  giveKnown("first_name", (header) => words.first_name.has(header), true);
  giveKnown("last_name", (header) => words.last_name.has(header), true);
  giveKnown("phone_numbers", (header) => header === "phonenumbers" || phonePattern.test(header));
  giveKnown("emails", (header) => emailPattern.test(header));

  let wholeName: string | undefined;
  if (columns.first_name.length > 0) {
    if (columns.last_name.length === 0) giveKnown("last_name", (header) => words.name.has(header), true);
  } else {
    giveKnown("first_name", (header) => words.name.has(header), true);
    if (columns.first_name.length === 0)
      giveKnown("first_name", (header) => words.wholeName.has(header), true);
    const index = columns.first_name[0];
    wholeName = index === undefined ? undefined : names[index];
  }
  const unread = names.filter((name, index) => !taken.has(index) && name !== "");
  return { columns, unread, ...(wholeName === undefined ? {} : { wholeName }) };
}

/** The columns of this name: exactly so, else but for case and punctuation. */
function positionsOf(names: readonly string[], column: string): number[] {
  const matching = (same: (name: string) => boolean) =>
    names.flatMap((name, index) => (same(name) ? [index] : []));
  const exact = matching((name) => name === column);
  if (exact.length > 0) return exact;
  const wanted = plain(column);
  return wanted === "" ? [] : matching((name) => plain(name) === wanted);
}

/**
 * Reads `first_name=Vorname,phone_numbers=Telefon|Mobil`. An empty right side says that nothing feeds the field.
 * @throws BulkError for a field that contacts don't have, or one named twice
 */
export function parseHeaderMap(text: string): HeaderMap {
  const map: Partial<Record<ContactField, string[]>> = {};
  let current: ContactField | undefined;
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const field = at < 0 ? undefined : part.slice(0, at).trim();
    const known = contactFields.find((name) => name === field);
    if (known !== undefined) {
      if (map[known]) throw new BulkError("invalid_map", `--map names ${known} twice`);
      current = known;
      map[known] = [part.slice(at + 1)];
    } else if (field === undefined && current !== undefined) {
      // A comma in a column's name.
      map[current] = [`${map[current]?.[0] ?? ""},${part}`];
    } else {
      throw new BulkError(
        "invalid_map",
        `--map: “${part.trim()}” does not begin with a field of a contact`,
        `write FIELD=COLUMN or FIELD=COLUMN|COLUMN; the fields are ${contactFields.join(", ")}`,
      );
    }
  }
  for (const field of contactFields) {
    const value = map[field]?.[0];
    if (value !== undefined) {
      map[field] = value
        .split("|")
        .map((column) => column.trim())
        .filter((column) => column !== "");
    }
  }
  return map;
}

/** @throws BulkError when a mapped column is not in the file, or nothing in it can be a first name */
export function checkColumns(names: readonly string[], map: HeaderMap, plan: ColumnPlan, file: string): void {
  const list = columnList(names);
  for (const field of contactFields) {
    for (const column of map[field] ?? []) {
      if (positionsOf(names, column).length > 0) continue;
      throw new BulkError(
        "unknown_column",
        `--map: ${file} has no column “${column}”`,
        `its columns are ${list}`,
      );
    }
  }
  if (plan.columns.first_name.length === 0) {
    throw new BulkError(
      "no_name_column",
      `${file}: no column is known to hold first names`,
      `its columns are ${list}; name one: --map first_name=COLUMN`,
    );
  }
}
