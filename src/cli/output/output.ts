import type { Text } from "../terminal/paint.js";

export type Format = "table" | "json" | "yaml" | "ndjson" | "csv";

export interface Column {
  header: string;
  /** Dotted path into the row, or a function that returns the value. */
  value: string | ((row: Readonly<Record<string, unknown>>) => unknown);
  /** True to shorten this column last. For example, a shortened phone number is useless. */
  keep?: boolean;
  /**
   * True if `value` is a function that returns IDs. IDs are never shortened. voxctl recognizes other columns
   * with IDs by their header, field or format.
   */
  isId?: boolean;
  /** True to omit the column if it is empty in all rows or if the terminal is too narrow. */
  optional?: boolean;
  align?: "left" | "right";
  /**
   * True if the table is useless without this column. If the column is empty and rows have unknown fields,
   * the table shows all fields.
   */
  figure?: boolean;
  /** Special format on a terminal: a relative time, or a colored status. */
  as?: "time" | "status";
}

/** Whether more rows exist than requested; `possible` if the service's response has an unknown format. */
export type More = "none" | "possible" | "certain";

/** Options for output that users read, such as tables. Formats for programs print the data verbatim. */
export interface View {
  columns: readonly Column[];
  /** Field names for the header of a CSV file without rows. */
  fields?: readonly string[];
  /** True if `--fields` does not apply, for example to the requests of a dry run. */
  anyFields?: boolean;
  /** Returns the fields to show on a terminal, if the item's own fields are hard to read. */
  detail?: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Message on stderr if the table is empty, such as "no contacts". */
  empty?: string;
  /** Nouns for the footer of a table. */
  noun?: string;
  plural?: string;
  /** Returns whether more rows exist. Call it after the last row. */
  more?: () => More;
}

export interface Output {
  readonly format: Format;
  item(value: unknown, view?: View): Promise<void>;
  /** Writes rows, with only one page in memory. Returns the number of rows. */
  list(rows: AsyncIterable<unknown> | Iterable<unknown>, view: View): Promise<number>;
  /** Writes text for users, regardless of the format. */
  text(text: Text): Promise<void>;
  lines(lines: readonly Text[]): Promise<void>;
  /**
   * Writes a script, a page or a response body, regardless of the format. Only on a terminal, escapes control
   * characters.
   */
  document(text: string): Promise<void>;
  /** Writes a JSON document. With `--jq`, collects the whole document first. */
  json(pieces: AsyncIterable<string> | Iterable<string>): Promise<void>;
}
