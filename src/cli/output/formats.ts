import { stringifyExactJson } from "../../base/exact-json.js";
import { isFields } from "../../base/fields.js";
import type { Io } from "../../base/io.js";
import type { Notes } from "../terminal/notes.js";
import type { Paint, Text } from "../terminal/paint.js";
import { getColumnValue } from "./fields.js";
import type { Column, Format, View } from "./output.js";

export interface Formatter {
  /** True if the format can't escape control characters. voxctl then escapes them only on a terminal. */
  isDocument?: boolean;
  item(value: unknown): Promise<Text>;
  start(first: readonly unknown[]): Promise<Text>;
  rows(rows: readonly unknown[]): Promise<Text>;
  end(count: number): Promise<Text>;
  leftOut?(): readonly string[];
}

export interface FormatOptions {
  view: View;
  fields: readonly string[] | undefined;
  paint: Paint;
  columns?: (() => number | undefined) | undefined;
  /** Returns the current time for relative times, such as "5 min ago". Without it, times are unchanged. */
  now?: (() => number) | undefined;
  plain?: boolean | undefined;
  excel: boolean;
  isRead: boolean;
  io: Pick<Io, "env" | "systemLocale">;
  notes: Pick<Notes, "warn">;
}

export function createFormatter(format: Format, options: FormatOptions): Promise<Formatter> | Formatter {
  switch (format) {
    case "json":
      return createJsonFormatter();
    case "ndjson":
      return ndjsonFormatter;
    case "yaml":
      return createYamlFormatter(options);
    case "csv":
      return createCsvFormatter(options);
    case "table":
      return createTableFormatter(options);
  }
}

function createJsonFormatter(): Formatter {
  let written = false;
  return {
    item: async (value) => `${stringifyExactJson(value ?? null, 2)}\n`,
    start: async () => "[",
    rows: async (rows) =>
      rows
        .map((row) => {
          const text = `${written ? "," : ""}\n  ${stringifyExactJson(row, 2).replaceAll("\n", "\n  ")}`;
          written = true;
          return text;
        })
        .join(""),
    end: async (count) => (count === 0 ? "]\n" : "\n]\n"),
  };
}

const ndjsonFormatter: Formatter = {
  item: async (value) => `${stringifyExactJson(value ?? null)}\n`,
  start: async () => "",
  rows: async (rows) => rows.map((row) => `${stringifyExactJson(row)}\n`).join(""),
  end: async () => "",
};

async function createYamlFormatter({ isRead }: FormatOptions): Promise<Formatter> {
  const { stringifyYaml } = await import("./yaml.js");
  return {
    item: async (value) => stringifyYaml(value ?? null, { isRead }),
    start: async () => "",
    // Batches can be concatenated, because consecutive YAML sequences form one sequence.
    rows: async (rows) => stringifyYaml([...rows], { isRead }),
    end: async (count) => (count === 0 ? "[]\n" : ""),
  };
}

async function createCsvFormatter({ view, fields, excel, io, notes }: FormatOptions): Promise<Formatter> {
  const { createCsv, csvCell } = await import("./csv.js");
  const csv = await createCsv({ excel, io }, notes);
  let names: readonly string[] = [];
  const omitted = new Set<string>();
  const header = (first: readonly unknown[]): string => {
    const known = view.fields ?? [];
    const unknown = first
      .flatMap((row) => (isFields(row) ? Object.keys(row) : []))
      .filter((name) => !known.includes(name));
    names = fields ?? [...new Set([...known, ...unknown])];
    return csv.header(names);
  };
  const line = (row: unknown): string[] => {
    if (!fields && isFields(row))
      for (const name of Object.keys(row)) if (!names.includes(name)) omitted.add(name);
    return names.map((name) => csvCell(isFields(row) ? pickValue(row, name) : row));
  };
  return {
    isDocument: true,
    async item(value) {
      const text = header([value]) + csv.rows([line(value)]);
      csv.end();
      return text;
    },
    start: async (first) => header(first),
    rows: async (rows) => csv.rows(rows.map(line)),
    async end() {
      csv.end();
      if (omitted.size > 0)
        notes.warn(
          `omitted ${[...omitted].map((name) => `"${name}"`).join(", ")}, because the first rows don't have this field; to get all fields, use -o ndjson`,
        );
      return "";
    },
  };
}

function pickValue(row: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  const dot = path.indexOf(".");
  const inner = dot === -1 ? undefined : row[path.slice(0, dot)];
  return isFields(inner) ? pickValue(inner, path.slice(dot + 1)) : undefined;
}

async function createTableFormatter({ view, fields, columns, ...style }: FormatOptions): Promise<Formatter> {
  const { Table, formatDetails: detailLines } = await import("./table.js");
  const tableOf = (shown: readonly Column[]) =>
    new Table(shown, { ...style, available: columns ?? (() => undefined) });
  let table = tableOf(
    fields ? fields.map((field) => ({ header: field.toUpperCase(), value: field })) : view.columns,
  );
  return {
    item: async (value) =>
      detailLines(view.detail && !fields && isFields(value) ? view.detail(value) : value, {
        ...style,
        ...(columns ? { available: columns } : {}),
      }),
    start: async (first) => {
      if (!fields && first.length > 0 && !hasKnownShape(first, view))
        table = tableOf(buildGenericColumns(first));
      return "";
    },
    rows: async (rows) => (rows.length === 0 ? "" : table.lines(rows)),
    end: async () => "",
    leftOut: () => table.omittedColumns,
  };
}

/** If a `figure` column is empty in all rows, an unknown field may contain the column's values. */
function hasKnownShape(rows: readonly unknown[], { columns, fields = [] }: View): boolean {
  const hasColumn = (column: Column) => rows.some((row) => getColumnValue(row, column) !== undefined);
  if (!columns.some(hasColumn)) return false;
  if (columns.every((column) => column.figure !== true || hasColumn(column))) return true;
  const known = new Set([...fields, ...columns.map(({ value }) => value)]);
  return !rows.some((row) => isFields(row) && Object.keys(row).some((name) => !known.has(name)));
}

function buildGenericColumns(rows: readonly unknown[]): Column[] {
  const names = new Set(rows.flatMap((row) => (isFields(row) ? Object.keys(row) : [])));
  return [...names].map((name) => ({ header: name.toUpperCase(), value: (row) => row[name] }));
}
