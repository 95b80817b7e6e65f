import { BulkError } from "../../../write/errors.js";
import type { Fields } from "../../../write/fields.js";
import { type InputRow, namedColumn } from "../../../write/input-row.js";
import { garbledAt, garbledReason } from "../sources/garbled.js";
import { columnList, firstNames, headerBelow, isTable } from "../sources/header.js";
import { inputName } from "../sources/name.js";
import { errorColumn } from "../sources/surplus.js";
import { isEmptyCell, type Survey, surveyFile } from "../sources/survey.js";
import type { Encoding, Source, SourceRow } from "../sources/types.js";

export interface TableField {
  name: string;
  /** Other accepted headers. Case and punctuation are ignored. */
  headers: readonly string[];
  read(cell: string): { value: unknown } | { reason: string } | undefined;
  required?: boolean;
  /** Value that an empty cell sets if the import replaces items. */
  empty: unknown;
}

export interface TableInput {
  rows(): AsyncIterable<InputRow>;
  rowsWithSource(): AsyncIterable<{ source: SourceRow; row: InputRow }>;
  /** Column names. */
  names: readonly string[];
  /** Facts about the whole file; undefined unless the import replaces items. */
  survey: Survey | undefined;
  /** Mostly empty columns. Their empty cells are ignored. */
  silent: readonly string[];
  unread: readonly string[];
}

type Columns = ReadonlyMap<TableField, number>;

export function readText(cell: string): { value: string } | undefined {
  const text = cell.trim();
  return text === "" ? undefined : { value: text };
}

/** Reads a number such as `0.9` or, in German notation, `0,9`. */
export function readNumber(cell: string): { value: number } | { reason: string } | undefined {
  const text = cell.trim();
  if (text === "") return undefined;
  const value = /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  return Number.isNaN(value) ? { reason: "is not a number" } : { value };
}

const truths = new Map([
  ...["true", "yes", "ja", "wahr", "1", "x"].map((word) => [word, true] as const),
  ...["false", "no", "nein", "falsch", "0", "-"].map((word) => [word, false] as const),
]);

export function readBoolean(cell: string): { value: boolean } | { reason: string } | undefined {
  const text = cell.trim().toLowerCase();
  if (text === "") return undefined;
  const value = truths.get(text);
  return value === undefined
    ? { reason: "is not a boolean: expected true, false, yes, no, ja, nein or x" }
    : { value };
}

/**
 * Finds the columns of each field: the mapped columns, or columns with known names.
 * @param options.clearEmpty columns whose empty cells clear a field even if most cells of the column are empty;
 * undefined unless the import replaces items
 * @throws BulkError if the file lacks a mapped or a required column
 */
export async function readTable(
  source: Source,
  fields: readonly TableField[],
  map: ReadonlyMap<string, string>,
  { judge = () => undefined, clearEmpty }: TableOptions = {},
): Promise<TableInput> {
  const names = await firstNames(source);
  const columns = columnsOf(names, fields, map);
  // Check only tables, because later JSON objects may have fields that the first one lacks.
  if (isTable(source)) {
    try {
      checkColumns(inputName(source.name), names, fields, columns, map);
    } catch (error) {
      throw (await headerBelow(source, (cells) => isHeader(cells, fields, map))) ?? error;
    }
  }
  const taken = new Set(columns.values());
  const cleared = new Set(clearEmpty ?? []);
  const unknown = [...cleared].find((name) => !taken.has(names.indexOf(name)));
  if (unknown !== undefined)
    throw new BulkError(
      "unknown_column",
      `--clear-empty: ${inputName(source.name)} has no mapped column "${unknown}"`,
      `use one of the file's columns: ${columnList(names)}`,
    );
  const survey = clearEmpty === undefined ? undefined : await surveyFile(source);
  // An empty cell clears a field only if at least half of the column is filled or `--clear-empty` lists the
  // column.
  const clears = ({ names: rowNames }: SourceRow, index: number) =>
    survey !== undefined && (cleared.has(rowNames[index] ?? "") || !survey.isSparse(rowNames, index));
  async function* rowsWithSource(): AsyncGenerator<{ source: SourceRow; row: InputRow }, void> {
    let lastNames = names;
    let last = columns;
    for await (const row of source.rows()) {
      // Rows with the same columns share one array of names, so compare by reference.
      if (row.names !== lastNames) [lastNames, last] = [row.names, columnsOf(row.names, fields, map)];
      const read = inputRow(row, last, { fields, judge, encoding: source.encoding });
      if (survey === undefined || !("fields" in read.read)) {
        yield { source: row, row: read };
        continue;
      }
      const emptied = [...last].filter(([, index]) => isEmptyCell(row.values[index]) && clears(row, index));
      const empties = Object.fromEntries(emptied.map(([field]) => [field.name, field.empty]));
      const rules = { keeps: {}, empties: [] };
      yield { source: row, row: { ...read, read: { fields: { ...empties, ...read.read.fields } }, rules } };
    }
  }
  return {
    async *rows() {
      for await (const { row } of rowsWithSource()) yield row;
    },
    rowsWithSource,
    ...{ names, survey },
    silent: names.filter(
      (name, index) => taken.has(index) && !cleared.has(name) && survey?.isSparse(names, index) === true,
    ),
    unread: names.filter((name, index) => name !== "" && name !== errorColumn && !taken.has(index)),
  };
}

type Judge = (fields: Fields) => { field: string; reason: string } | undefined;

interface TableOptions {
  judge?: Judge;
  clearEmpty?: readonly string[] | undefined;
}

function isHeader(
  cells: readonly string[],
  fields: readonly TableField[],
  map: ReadonlyMap<string, string>,
): boolean {
  const columns = columnsOf(cells, fields, map);
  return columns.size > 1 && fields.every((field) => !field.required || columns.has(field));
}

function columnsOf(
  names: readonly string[],
  fields: readonly TableField[],
  map: ReadonlyMap<string, string>,
): Columns {
  const columns = new Map<TableField, number>();
  for (const field of fields) {
    const mapped = map.get(field.name);
    const known = mapped === undefined ? [field.name, ...field.headers] : [mapped];
    const exact = names.findIndex((name) => known.includes(name));
    // A name without Latin letters or digits has no normalized form.
    const forms = known.map(plain).filter((form) => form !== "");
    const index = exact >= 0 ? exact : names.findIndex((name) => forms.includes(plain(name)));
    if (index >= 0) columns.set(field, index);
  }
  return columns;
}

function plain(header: string): string {
  return header
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "");
}

function checkColumns(
  file: string,
  names: readonly string[],
  fields: readonly TableField[],
  columns: Columns,
  map: ReadonlyMap<string, string>,
): void {
  const list = columnList(names);
  for (const field of fields) {
    if (columns.has(field)) continue;
    const mapped = map.get(field.name);
    if (mapped !== undefined) {
      throw new BulkError(
        "unknown_column",
        `--map: ${file} has no column "${mapped}"`,
        `use one of the file's columns: ${list}`,
      );
    }
    if (field.required) {
      throw new BulkError(
        "no_column",
        `${file}: no column found for field ${field.name}`,
        `select a column with --map ${field.name}=COLUMN; columns: ${list}`,
      );
    }
  }
}

function inputRow(
  row: SourceRow,
  columns: Columns,
  { fields, judge, encoding }: { fields: readonly TableField[]; judge: Judge; encoding: Encoding },
): InputRow {
  const { number, line } = row;
  const record = Object.fromEntries(row.names.map((name, index) => [name, row.values[index] ?? ""]));
  const columnOf = (name: string) => {
    const index = [...columns].find(([field]) => field.name === name)?.[1];
    return index === undefined ? undefined : row.names[index];
  };
  const invalid = (field: string, value: string, reason: string): InputRow => ({
    number,
    line,
    read: { problems: [{ field, ...namedColumn(field, columnOf(field)), value, reason }] },
    record: () => ({ record }),
  });
  if (row.problem !== undefined) return invalid("row", row.values.map(asText).join(" | "), row.problem);
  const read: Record<string, unknown> = {};
  for (const field of fields) {
    const index = columns.get(field);
    const cell = index === undefined ? "" : asText(row.values[index]);
    const reason = index === undefined ? undefined : row.unreadable?.get(index);
    if (reason !== undefined) return invalid(field.name, cell, reason);
    if (garbledAt(cell, encoding) !== undefined)
      return invalid(field.name, cell, `is garbled: ${garbledReason(encoding)}`);
    const result = field.read(cell);
    if (result === undefined) {
      if (field.required) return invalid(field.name, cell, "is missing");
    } else if ("reason" in result) return invalid(field.name, cell, result.reason);
    else read[field.name] = result.value;
  }
  const problem = judge(read);
  if (problem) return invalid(problem.field, asText(read[problem.field]), problem.reason);
  return { number, line, read: { fields: read } };
}

function asText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/**
 * Parses a mapping such as `term=Begriff,definition=Erklärung`.
 * @throws BulkError for an unknown field or a field that is mapped twice
 */
export function parseColumnMap(text: string, fields: readonly TableField[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    const known = fields.some((field) => field.name === name);
    if (!known || map.has(name)) {
      throw new BulkError(
        "invalid_map",
        known
          ? `--map: ${name} is mapped twice`
          : `invalid --map "${part.trim()}": expected a field before =`,
        `write FIELD=COLUMN; the fields are ${fields.map((field) => field.name).join(", ")}`,
      );
    }
    map.set(name, part.slice(at + 1).trim());
  }
  return map;
}
