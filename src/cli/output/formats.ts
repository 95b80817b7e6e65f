import { stringifyExactJson } from "../../base/exact-json.js";
import type { Paint } from "../terminal/paint.js";
import { cellText, columnValue, isFields, isScalar } from "./fields.js";
import type { Column, Format, View } from "./output.js";

/** One format: turns rows into text, as they come. */
export interface Formatter {
  /** One thing. */
  item(value: unknown): Promise<string>;
  /** Before the first row; `first` are the rows known by then. */
  start(first: readonly unknown[]): Promise<string>;
  rows(rows: readonly unknown[]): Promise<string>;
  /** After the last; `count` rows were written. */
  end(count: number): Promise<string>;
  /** Columns that a table had no room for. */
  leftOut?(): readonly string[];
}

export interface FormatOptions {
  view: View;
  /** Chosen by `--fields`. */
  fields: readonly string[] | undefined;
  paint: Paint;
  /** Cells of a terminal's line, asked for again when it may have changed; undefined for no bound. */
  columns?: (() => number | undefined) | undefined;
  /** The time to say others by: "5 min ago"; without it they stand as they came. */
  now?: (() => number) | undefined;
  /** For screen readers. */
  plain?: boolean | undefined;
}

export function createFormatter(format: Format, options: FormatOptions): Promise<Formatter> | Formatter {
  switch (format) {
    case "json":
      return jsonFormatter();
    case "ndjson":
      return ndjsonFormatter;
    case "yaml":
      return yamlFormatter();
    case "csv":
      return csvFormatter(options);
    case "table":
      return tableFormatter(options);
  }
}

function jsonFormatter(): Formatter {
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

async function yamlFormatter(): Promise<Formatter> {
  const { stringifyYaml } = await import("./yaml.js");
  return {
    item: async (value) => stringifyYaml(value ?? null),
    start: async () => "",
    // Sequences after each other are one sequence.
    rows: async (rows) => stringifyYaml([...rows]),
    end: async (count) => (count === 0 ? "[]\n" : ""),
  };
}

async function csvFormatter({ view, fields }: FormatOptions): Promise<Formatter> {
  const { default: papaparse } = await import("papaparse");
  const lines = (rows: string[][]) => `${papaparse.unparse(rows, { newline: "\n" })}\n`;
  let names: readonly string[] = [];
  const header = (first: readonly unknown[]): string => {
    const known = view.fields ?? [];
    const unknown = first
      .flatMap((row) => (isFields(row) ? Object.keys(row) : []))
      .filter((name) => !known.includes(name));
    names = fields ?? [...new Set([...known, ...unknown])];
    return lines([[...names]]);
  };
  const line = (row: unknown): string[] =>
    names.map((name) => csvCell(isFields(row) ? pick(row, name) : row));
  return {
    item: async (value) => header([value]) + lines([line(value)]),
    start: async (first) => header(first),
    rows: async (rows) => (rows.length === 0 ? "" : lines(rows.map(line))),
    end: async () => "",
  };
}

function pick(row: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  const dot = path.indexOf(".");
  const inner = dot === -1 ? undefined : row[path.slice(0, dot)];
  return isFields(inner) ? pick(inner, path.slice(dot + 1)) : undefined;
}

/** A value as a cell of a file; lists by semicolon, which the import splits again. */
export function csvCell(value: unknown): string {
  return Array.isArray(value) && value.every((entry) => entry !== null && isScalar(entry))
    ? value.map(cellText).join("; ")
    : cellText(value);
}

async function tableFormatter({ view, fields, columns, ...style }: FormatOptions): Promise<Formatter> {
  const { Table, detailLines } = await import("./table.js");
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
      // T10: rows of another shape than the one that is known are shown as they came.
      if (!fields && first.length > 0 && !first.some((row) => hasOneOf(row, view.columns)))
        table = tableOf(genericColumns(first));
      return "";
    },
    rows: async (rows) => (rows.length === 0 ? "" : table.lines(rows)),
    end: async () => "",
    leftOut: () => table.leftOut,
  };
}

function hasOneOf(row: unknown, columns: readonly Column[]): boolean {
  return columns.some((column) => columnValue(row, column) !== undefined);
}

/** A column per field of these rows. */
function genericColumns(rows: readonly unknown[]): Column[] {
  const names = new Set(rows.flatMap((row) => (isFields(row) ? Object.keys(row) : [])));
  return [...names].map((name) => ({ header: name.toUpperCase(), value: (row) => row[name] }));
}
