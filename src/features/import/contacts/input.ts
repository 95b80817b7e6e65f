import { hasLostLetters, lostLettersReason } from "../../../base/utf8.js";
import { isEmail } from "../../../contract/primitives.js";
import { BulkError } from "../../../write/errors.js";
import { firstNames, isTable } from "../sources/header.js";
import { inputName } from "../sources/name.js";
import { perShape } from "../sources/shapes.js";
import { type Survey, surveyFile } from "../sources/survey.js";
import type { Source, SourceRow } from "../sources/types.js";
import {
  type ColumnPlan,
  checkColumns,
  contactFields,
  type HeaderMap,
  planColumns,
  positionsOf,
} from "./headers.js";
import { watchHeadings } from "./headings.js";
import type { ImportContact } from "./import-contact.js";
import { watchProgramWords } from "./names.js";
import { watchOwnExport } from "./own-export.js";
import { positionsIn } from "./phone-columns.js";
import { createPhoneFacts } from "./phone-facts.js";
import { type AcceptedNumbers, createPhoneReader, type PhoneReader } from "./phones.js";
import {
  lacksFirstName,
  type ReadContact,
  type Remarks,
  type RowReading,
  readContact,
  readLoosely,
  rowProblem,
} from "./rows.js";

/** A file of contacts with its columns resolved. */
export interface ContactInput {
  readonly source: Source;
  /** The columns of a table; of JSON, the fields of its first object. */
  readonly columns: ColumnPlan;
  /** The columns' names, as `columns` has them. */
  readonly names: readonly string[];
  readonly survey: Survey;
  /** The first line is not a header: it has numbers or addresses, like the other rows. */
  readonly isBare: boolean;
  /** Columns of rows of any shape. */
  columnsOf(names: readonly string[]): ColumnPlan;
  /** Maps each row and the contact that was read from it. */
  rows<T>(of: (row: SourceRow, read: ReadContact) => T): AsyncGenerator<T, void>;
  /** How these rows are read. */
  read(row: SourceRow): ReadContact;
  /** Returns whether the row is a heading, a total or a note instead of a contact. */
  isHeading(row: SourceRow): boolean;
  /** Returns whether this text means "no value" in this file, such as a placeholder in several columns. */
  isNothing(text: string): boolean;
  /** Placeholder words that are kept as names, because such names exist. */
  doubtfulNames(): readonly string[];
  /** The readable part of a row that can't be used as a whole. */
  readLoosely(row: SourceRow): ImportContact;
  /** Names of columns that nothing read, as far as rows were read. */
  unread(): readonly string[];
  /** Numbers that could be read by this, of the rows that were read last. */
  remedied(): PhoneReader["remedied"];
  /** Rows that lack nothing but a first name, of those that were read last. */
  withoutFirstName(): number;
  /** Unused columns with a country header, with the first cell that is not a known country. */
  ignoredCountries(): { column: string; value: string }[];
  /** Returns how many of the rows read last have a remark of this type, and the first one. */
  getRemarks<K extends keyof Remarks>(type: K): { count: number; first: Remarks[K] };
}

export interface ContactInputOptions {
  country?: string | undefined;
  map?: HeaderMap | undefined;
  trustsCallingCode?: boolean;
  /** The completed numbers to accept; default: valid ones. */
  accepts?: AcceptedNumbers;
  keepsValid?: boolean;
  /** The column of the caller's own keys: a row with a key is a contact. */
  keyColumn?: string | undefined;
  /**
   * The file only describes contacts and creates none: numbers, addresses or keys suffice, even without a
   * header.
   */
  isReportOnly?: boolean;
  /** The user specified the encoding, so garbled text is not reported. */
  isEncodingNamed?: boolean;
}

const unreadNamed = 30;
/** Column that `--rejects` adds to a file; an import ignores it. */
const errorColumn = "voxctl_error";

/**
 * Looks through a file before anything else is done with it.
 * @throws BulkError when no column can be a first name, a mapped column is missing, the country is unknown, or names
 *   look garbled
 */
export async function openContactInput(source: Source, options: ContactInputOptions): Promise<ContactInput> {
  const {
    country,
    map = {},
    trustsCallingCode = false,
    accepts = "valid",
    keepsValid = false,
    isEncodingNamed = false,
    isReportOnly = false,
    keyColumn,
  } = options;
  const phones = await createPhoneReader({ country, trustsCallingCode, accepts });
  const names = await firstNames(source);
  const columns = planColumns(names, map);
  const isKnown =
    contactFields.some((field) => columns.columns[field].length > 0) ||
    (keyColumn !== undefined && positionsOf(names, keyColumn).length > 0);
  const isContact = (text: string) => text === "" || isEmail(text) || "numbers" in phones.read(text);
  const isBare =
    isReportOnly &&
    !isKnown &&
    names.some((name) => name !== "") &&
    names.every((name) => isContact(name.trim()));
  // Objects may omit fields: later objects can have fields that the first one lacks.
  if (isTable(source) && !(isReportOnly && (isKnown || isBare)))
    checkColumns(names, map, columns, inputName(source.name));

  const unread = new Set<string>();
  const columnsOf = perShape((rowNames): ColumnPlan => {
    const plan = planColumns(rowNames, map);
    for (const name of plan.unread) if (unread.size < unreadNamed && name !== errorColumn) unread.add(name);
    return plan;
  });
  const facts = createPhoneFacts(phones, isTable(source), columnsOf);
  const namesAt = perShape((rowNames) => {
    const { first_name, last_name } = columnsOf(rowNames).columns;
    return [...new Set([...first_name, ...last_name])];
  });
  const readAt = perShape((rowNames) => {
    const { columns, pairs, standIns, phoneColumns } = columnsOf(rowNames);
    return [
      ...new Set([
        ...Object.values(columns).flat(),
        ...pairs.keys(),
        ...standIns,
        ...[...phoneColumns.values()].flatMap(positionsIn),
        ...(keyColumn === undefined ? [] : positionsOf(rowNames, keyColumn)),
      ]),
    ];
  });
  const words = watchProgramWords();
  const watch = watchHeadings(columnsOf, keyColumn);
  const exported = watchOwnExport(source.format);
  const survey = await surveyFile(source, {
    isEncodingNamed,
    namesAt,
    readAt,
    see: (row) => {
      exported.see(row);
      words.see(row.names, row.values, { readAt: readAt(row.names), namesAt: namesAt(row.names) });
      if (isTable(source)) watch.see(row);
      if (row.problem === undefined) facts.observe(row);
    },
  });
  if (survey.garbled !== undefined) throw garbledError(source, survey.garbled);
  const isOwnExport = Object.keys(map).length === 0 && exported.isOwnExport();
  const headings = isOwnExport ? new Map<number, string>() : await watch.headings(source);
  let withoutFirstName = 0;
  let remedied = { ...phones.remedied };
  let remarks = createRemarks();
  const readingOf = perShape(
    (rowNames): RowReading => ({
      ...columnsOf(rowNames),
      ...{ phones, facts, keepsValid, isNothing: words.isNothing, isOwnExport },
    }),
  );
  const read = (row: SourceRow): ReadContact => {
    const reason = headings.get(row.number);
    if (reason !== undefined) return { problems: [rowProblem(row, reason)] };
    return readContact(row, readingOf(row.names));
  };
  return {
    source,
    columns,
    names,
    ...{ survey, isBare, columnsOf },
    read,
    isNothing: words.isNothing,
    doubtfulNames: words.doubtful,
    isHeading: ({ number }) => headings.has(number),
    readLoosely: (row) => readLoosely(row, { ...columnsOf(row.names), phones, facts, keepsValid }),
    unread: () => [...unread],
    remedied: () => remedied,
    withoutFirstName: () => withoutFirstName,
    ignoredCountries: facts.ignored,
    getRemarks: (type) =>
      type === "unreachable" && !watch.hasAddresses() ? { count: 0, first: undefined } : remarks.of(type),
    async *rows(of) {
      withoutFirstName = 0;
      remedied = { country: 0, ownCode: 0, foreignCode: 0 };
      remarks = createRemarks();
      let rows = 0;
      for await (const row of source.rows()) {
        rows += 1;
        // A row below the list does not belong to it.
        if (rows > survey.rows) break;
        // Rows are also read elsewhere, so count only from here on.
        const before = { ...phones.remedied };
        const result = read(row);
        let remedy: keyof typeof before;
        for (remedy in before) remedied[remedy] += phones.remedied[remedy] - before[remedy];
        if ("problems" in result && lacksFirstName(result.problems)) withoutFirstName += 1;
        if ("contact" in result) remarks.add(result.remarks);
        yield of(row, result);
      }
    },
  };
}

/** Counts rows by their remarks and keeps the first remark of each type. */
function createRemarks() {
  const first: Remarks = {};
  const counts = new Map<string, number>();
  return {
    add(remarks: Remarks): void {
      let type: keyof Remarks;
      for (type in remarks) {
        const count = counts.get(type) ?? 0;
        if (count === 0) Object.assign(first, { [type]: remarks[type] });
        counts.set(type, count + 1);
      }
    },
    of: <K extends keyof Remarks>(type: K) => ({ count: counts.get(type) ?? 0, first: first[type] }),
  };
}

function garbledError(
  { name, encoding }: Source,
  { line, column, value }: NonNullable<Survey["garbled"]>,
): BulkError {
  const message = `${inputName(name)}, line ${line}: ${column} is ${JSON.stringify(value)}, which is not a name`;
  if (hasLostLetters(value))
    return new BulkError(
      "encoding_doubtful",
      `${message}: it ${lostLettersReason}`,
      "export the list again as UTF-8",
    );
  if (encoding.startsWith("utf"))
    return new BulkError(
      "encoding_doubtful",
      `${message}: it was probably converted with the wrong encoding`,
      `export the list again as UTF-8; if it is right, --encoding ${encoding}`,
    );
  return new BulkError(
    "encoding_doubtful",
    `${message}: the file was read as ${encoding}, but its encoding is probably different`,
    `name it: --encoding macintosh, ibm850, iso-8859-15 or windows-1250, or export the list as UTF-8; if it is right, --encoding ${encoding}`,
  );
}

/** The use of each column: the fields that it feeds, or none. */
export function mappingOf(
  { columns, standIns, phoneColumns }: ColumnPlan,
  names: readonly string[],
): { column: string; fields: string[] }[] {
  const uses = (index: number) => [
    ...contactFields.filter((field) => columns[field].includes(index)),
    ...(standIns.includes(index) ? ["first_name where that is empty"] : []),
    ...[...phoneColumns].flatMap(([phone, { areaCode, callingCode, countries, label }]) => [
      ...(areaCode === index ? [`area code of ${names[phone] ?? ""}`] : []),
      ...(callingCode === index || countries.includes(index) ? [`country of ${names[phone] ?? ""}`] : []),
      ...(label === index ? [`type of ${names[phone] ?? ""}`] : []),
    ]),
  ];
  return names.flatMap((column, index) =>
    column === "" || column === errorColumn ? [] : [{ column, fields: uses(index) }],
  );
}
