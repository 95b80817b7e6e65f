import type { Text } from "../terminal/paint.js";

export type Format = "table" | "json" | "yaml" | "ndjson" | "csv";

export interface Column {
  header: string;
  /** Dotted path into the row, or a function that returns the value. */
  value: string | ((row: Readonly<Record<string, unknown>>) => unknown);
  /** Whether to shorten this column only after all others: a cut phone number, for example, is useless. */
  keep?: boolean;
  /**
   * Whether a function's values contain IDs, which are never shortened. Other columns with IDs are recognized
   * by their header, field or format.
   */
  isId?: boolean;
  /** Whether the column is omitted if it is empty in all rows, or if the terminal is too narrow for all columns. */
  optional?: boolean;
  align?: "left" | "right";
  /**
   * Whether the table is useless without this column. If no row has a value for it, but rows have unknown
   * fields, the table shows all fields instead.
   */
  figure?: boolean;
  /** Special format on a terminal: a relative time, or a colored status. */
  as?: "time" | "status";
}

/** Whether more rows exist than requested; `possible` if the service's response has an unknown format. */
export type More = "none" | "possible" | "certain";

/** Options for output on a terminal. Other formats print the data verbatim. */
export interface View {
  columns: readonly Column[];
  /** Field names for the header of a CSV file without rows. */
  fields?: readonly string[];
  /** True if `--fields` does not apply to the rows, such as the requests of a dry run. */
  anyFields?: boolean;
  /** Returns the fields to show on a terminal, if the item's own fields are hard to read. */
  detail?: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Message on stderr if the table is empty, such as "no contacts". */
  empty?: string;
  /** Singular and plural nouns for the rows, for a table's footer on a terminal. */
  noun?: string;
  plural?: string;
  /** Returns whether more rows exist than requested. Must be called after the last row. */
  more?: () => More;
}

/** Writes results to stdout, in the chosen format. */
export interface Output {
  readonly format: Format;
  item(value: unknown, view?: View): Promise<void>;
  /** Writes rows one at a time; keeps one page in memory. Returns the number of rows. */
  list(rows: AsyncIterable<unknown> | Iterable<unknown>, view: View): Promise<number>;
  /** Writes text for the user, regardless of the format. */
  text(text: Text): Promise<void>;
  /** Writes text for the user line by line. */
  lines(lines: readonly Text[]): Promise<void>;
  /**
   * Writes text with its own syntax, such as a script, a page or a response body, regardless of the format.
   * The text is unchanged, except on a terminal.
   */
  document(text: string): Promise<void>;
  /** Writes one JSON document in pieces. With `--jq`, collects the whole document first. */
  json(pieces: AsyncIterable<string> | Iterable<string>): Promise<void>;
}
