import { firstNames, headerBelow, isTable } from "../sources/header.js";
import { inputName } from "../sources/name.js";
import type { Source, SourceRow } from "../sources/types.js";
import { type ColumnPlan, checkColumns, type HeaderMap, planColumns } from "./headers.js";
import { createPhoneReader } from "./phones.js";
import { type ReadContact, readContact } from "./rows.js";

/** A file of contacts whose columns are understood. */
export interface ContactInput {
  readonly source: Source;
  /** The columns of a table; of JSON, the fields of its first object. */
  readonly columns: ColumnPlan;
  rows(): AsyncGenerator<{ row: SourceRow; read: ReadContact }, void>;
  /** Names of columns that nothing read, as far as rows were read. */
  unread(): readonly string[];
  /** Numbers that can't be read without `country`, of the rows that were read last. */
  withoutCountry(): number;
}

export interface ContactInputOptions {
  country?: string | undefined;
  map?: HeaderMap | undefined;
}

const unreadNamed = 30;

/**
 * Looks at a file's columns before anything else is done with it.
 * @throws BulkError when no column can be a first name, a mapped column is missing, or the country is unknown
 */
export async function openContactInput(
  source: Source,
  { country, map = {} }: ContactInputOptions,
): Promise<ContactInput> {
  const phones = await createPhoneReader(country);
  const names = await firstNames(source);
  const columns = planColumns(names, map);
  // Objects may leave fields out; what the first one lacks, others may have.
  if (isTable(source)) {
    try {
      checkColumns(names, map, columns, inputName(source.name));
    } catch (error) {
      throw (await headerBelow(source, (cells) => isHeader(cells, map))) ?? error;
    }
  }

  const unread = new Set<string>();
  // Rows of one shape share their array of names.
  let lastNames: readonly string[] | undefined;
  let plan = columns;
  const planFor = (names: readonly string[]): ColumnPlan => {
    if (names === lastNames) return plan;
    lastNames = names;
    plan = planColumns(names, map);
    for (const name of plan.unread) if (unread.size < unreadNamed) unread.add(name);
    return plan;
  };
  let before = 0;
  return {
    source,
    columns,
    unread: () => [...unread],
    withoutCountry: () => phones.withoutCountry - before,
    async *rows() {
      before = phones.withoutCountry;
      for await (const row of source.rows()) {
        yield { row, read: readContact(row, planFor(row.names).columns, phones) };
      }
    },
  };
}

/** First names and something else: more than one word can be by chance. */
function isHeader(cells: readonly string[], map: HeaderMap): boolean {
  const { first_name, last_name, phone_numbers, emails } = planColumns(cells, map).columns;
  return first_name.length > 0 && last_name.length + phone_numbers.length + emails.length > 0;
}
