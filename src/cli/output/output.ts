import type { Text } from "../terminal/paint.js";

export type Format = "table" | "json" | "yaml" | "ndjson" | "csv";

export interface Column {
  header: string;
  /** Dotted path into the row, or a function that returns the value. */
  value: string | ((row: Readonly<Record<string, unknown>>) => unknown);
  /** Shorten this column last, because a shortened value, such as a phone number, is useless. */
  keep?: boolean;
  /**
   * For a `value` function that returns IDs, which are never shortened; voxctl recognizes other ID columns
   * itself.
   */
  isId?: boolean;
  /** True to omit the column if it is empty in all rows or if the terminal is too narrow. */
  optional?: boolean;
  align?: "left" | "right";
  /** If this column is empty and rows have unknown fields, the table shows all fields. */
  figure?: boolean;
  as?: "time" | "status";
}

/** Whether more rows exist; `possible` if the service's response has an unknown format. */
export type More = "none" | "possible" | "certain";

/** Options for output that users read, such as tables. Formats for programs print the data verbatim. */
export interface View {
  columns: readonly Column[];
  fields?: readonly string[];
  /** True if `--fields` does not apply, for example to the requests of a dry run. */
  anyFields?: boolean;
  detail?: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  empty?: string;
  noun?: string;
  plural?: string;
  /** Call this function after the last row. */
  more?: () => More;
}

export interface Output {
  readonly format: Format;
  item(value: unknown, view?: View): Promise<void>;
  /** Writes rows, with only one page in memory. Returns the number of rows. */
  list(rows: AsyncIterable<unknown> | Iterable<unknown>, view: View): Promise<number>;
  text(text: Text): Promise<void>;
  lines(lines: readonly Text[]): Promise<void>;
  /**
   * Writes a script, a page or a response body, regardless of the format. Escapes control characters only on a
   * terminal.
   */
  document(text: string): Promise<void>;
  /** Writes a JSON document. With `--jq`, collects the whole document first. */
  json(pieces: AsyncIterable<string> | Iterable<string>): Promise<void>;
}
