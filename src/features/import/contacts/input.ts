import { hasLostLetters, lostLettersReason } from "../../../base/utf8.js";
import { isEmail } from "../../../contract/primitives.js";
import type { RowList } from "../../../write/engine/context.js";
import { BulkError } from "../../../write/errors.js";
import { createRowList } from "../row-list.js";
import { firstNames, isTable } from "../sources/header.js";
import { inputName } from "../sources/name.js";
import { perShape } from "../sources/shapes.js";
import { errorColumn } from "../sources/surplus.js";
import { type Survey, surveyFile } from "../sources/survey.js";
import type { Source, SourceRow } from "../sources/types.js";
import { readEarlierError } from "./earlier-error.js";
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
import { watchShortRows } from "./short-rows.js";

export interface ContactInput {
  readonly source: Source;
  /** Columns of the table, or fields of the first JSON object. */
  readonly columns: ColumnPlan;
  /** Column names. The positions in `columns` are indexes in this list. */
  readonly names: readonly string[];
  readonly survey: Survey;
  /** Whether the file has no header, because its first line already contains phone numbers or emails. */
  readonly isBare: boolean;
  /** Returns the columns for a row's field names, because JSON objects in one file can have different fields. */
  columnsOf(names: readonly string[]): ColumnPlan;
  rows<T>(of: (row: SourceRow, read: ReadContact) => T): AsyncGenerator<T, void>;
  read(row: SourceRow): ReadContact;
  /** Returns whether the row is a heading, a total or a note instead of a contact. */
  isHeading(row: SourceRow): boolean;
  /**
   * Returns whether a cell with this text means "no value". A word such as `null` is a placeholder if several
   * columns contain it.
   */
  isNothing(text: string): boolean;
  /** Returns the words, such as `Null`, that are read as names but may mean "no value". */
  doubtfulNames(): readonly string[];
  readLoosely(row: SourceRow): ImportContact;
  unread(): readonly string[];
  /** For each flag, counts the invalid phone numbers in the last pass that become valid with the flag. */
  remedied(): PhoneReader["remedied"];
  /** Counts the rows in the last pass that lack only a first name. */
  withoutFirstName(): number;
  ignoredCountries(): { column: string; value: string }[];
  /** Returns the rows that have a remark, and the first remark with its position, such as `row 3, line 4`. */
  getRemarks<K extends keyof Remarks>(
    type: K,
  ): {
    count: number;
    rows: RowList;
    first?: Remarks[K] | undefined;
    place?: string | undefined;
  };
}

export interface ContactInputOptions {
  country?: string | undefined;
  map?: HeaderMap | undefined;
  trustsCallingCode?: boolean;
  /** Accepted numbers without a country code (default: only numbers that are valid in the country). */
  accepts?: AcceptedNumbers;
  keepsValid?: boolean;
  /** Column with the user's own keys, such as customer numbers. Every row with a key is a contact. */
  keyColumn?: string | undefined;
  /**
   * Whether the file only lists existing contacts. Such a file needs only a column of numbers, emails or
   * keys, and no header.
   */
  isReportOnly?: boolean;
  /** Whether the user specified the encoding and thereby accepts names that look garbled. */
  isEncodingNamed?: boolean;
}

const unreadNamed = 30;

/**
 * @throws BulkError if no column contains first names, a mapped column is missing, the country is unknown, or
 * names look garbled
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
  // Check only tables, because later JSON objects may have fields that the first one lacks.
  if (isTable(source) && !(isReportOnly && (isKnown || isBare)))
    checkColumns(names, map, columns, inputName(source.name));

  const unread = new Set<string>();
  const columnsOf = perShape((rowNames): ColumnPlan => {
    const plan = planColumns(rowNames, map);
    for (const name of plan.unread) if (unread.size < unreadNamed) unread.add(name);
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
  const short = watchShortRows();
  const survey = await surveyFile(source, {
    isEncodingNamed,
    namesAt,
    readAt,
    see: (row) => {
      exported.see(row);
      words.see(row.names, row.values, {
        ...{ readAt: readAt(row.names), namesAt: namesAt(row.names) },
        emptyAt: readEarlierError(row).lacksFirstName ? columnsOf(row.names).columns.first_name : [],
      });
      if (isTable(source)) watch.see(row);
      if (source.format === "csv") short.see(row);
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
    getRemarks(type) {
      const found = remarks.of(type);
      const isUsual =
        (type === "unreachable" && !watch.hasAddresses()) ||
        (type === "short" && !short.isSuspicious(found.count));
      return isUsual ? createRemarks().of(type) : found;
    },
    async *rows(of) {
      withoutFirstName = 0;
      remedied = { country: 0, ownCode: 0, foreignCode: 0 };
      remarks = createRemarks();
      let rows = 0;
      for await (const row of source.rows()) {
        rows += 1;
        // Rows after the end of the list are notes or totals.
        if (rows > survey.rows) break;
        // `phones.remedied` also counts numbers that were read before, so add only the difference.
        const before = { ...phones.remedied };
        const result = read(row);
        let remedy: keyof typeof before;
        for (remedy in before) remedied[remedy] += phones.remedied[remedy] - before[remedy];
        if ("problems" in result && lacksFirstName(result.problems)) withoutFirstName += 1;
        if ("contact" in result) {
          const isShort = source.format === "csv" && short.isShort(row);
          remarks.add(row, isShort ? { ...result.remarks, short: true } : result.remarks);
        }
        yield of(row, result);
      }
    },
  };
}

function createRemarks() {
  const first: Remarks = {};
  const places: Partial<Record<keyof Remarks, string>> = {};
  const lists = new Map<string, ReturnType<typeof createRowList>>();
  return {
    add(row: SourceRow, remarks: Remarks): void {
      let type: keyof Remarks;
      for (type in remarks) {
        const rows = lists.get(type) ?? createRowList();
        if (rows.count === 0) {
          Object.assign(first, { [type]: remarks[type] });
          places[type] = `row ${row.number}, line ${row.line}`;
          lists.set(type, rows);
        }
        rows.add(row.number);
      }
    },
    of<K extends keyof Remarks>(type: K) {
      const rows: RowList = lists.get(type) ?? createRowList();
      return { count: rows.count, rows, first: first[type], place: places[type] };
    },
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
      `${message}: an earlier conversion of the file probably used the wrong encoding`,
      `export the list again as UTF-8, or accept the text with --encoding ${encoding}`,
    );
  return new BulkError(
    "encoding_doubtful",
    `${message}: the file was read as ${encoding}, which is probably not its encoding`,
    `export the list as UTF-8, or specify its encoding, such as --encoding macintosh, ibm850, iso-8859-15, windows-1250 or windows-1254; if the text was read correctly, use --encoding ${encoding}`,
  );
}

export function mappingOf(
  { columns, standIns, phoneColumns }: ColumnPlan,
  names: readonly string[],
): { column: string; fields: string[] }[] {
  const uses = (index: number) => [
    ...contactFields.filter((field) => columns[field].includes(index)),
    ...(standIns.includes(index) ? ["first_name in rows without a first name"] : []),
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
