import type { Text } from "../terminal/paint.js";

export type Format = "table" | "json" | "yaml" | "ndjson" | "csv";

/** One column of a table. */
export interface Column {
  header: string;
  /** Dotted path into the row, or a function that returns the value. */
  value: string | ((row: Readonly<Record<string, unknown>>) => unknown);
  /** Whether it is shortened last: ids, numbers and values that are useless when cut. */
  keep?: boolean;
  /** Whether its computed values contain ids, which are never cut. Other ids are recognized by header, field and form. */
  isId?: boolean;
  /** Whether it is omitted if the terminal is too narrow for all columns. */
  optional?: boolean;
  align?: "left" | "right";
  /** Whether it is the table's subject: rows that all lack it, and have other fields, are shown verbatim. */
  figure?: boolean;
  /** Special format on a terminal: a relative time, or a colored status. */
  as?: "time" | "status";
}

/** Whether more rows exist than requested; `possible` if the service's response is not understood. */
export type More = "none" | "possible" | "certain";

/** Output options on a terminal; the other formats print the data verbatim. */
export interface View {
  columns: readonly Column[];
  /** Names of the fields, for the header of a CSV file without rows. */
  fields?: readonly string[];
  /** Rows for which `--fields` does not apply: requests of a dry run. */
  anyFields?: boolean;
  /** The item for a terminal, if its fields are hard to read. */
  detail?: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The message on stderr under an empty table: "no contacts". */
  empty?: string;
  /** Singular and plural nouns for rows: for the footer of a table on a terminal. */
  noun?: string;
  plural?: string;
  /** Returns whether more rows exist than requested. Called after the last row. */
  more?: () => More;
}

/** Writes results to stdout, in the chosen format. */
export interface Output {
  readonly format: Format;
  /** Writes one item. */
  item(value: unknown, view?: View): Promise<void>;
  /** Writes rows one at a time; keeps a page in memory. Returns their number. */
  list(rows: AsyncIterable<unknown> | Iterable<unknown>, view: View): Promise<number>;
  /** Writes text for the user, regardless of the format. */
  text(text: Text): Promise<void>;
  /** Writes text for the user line by line. */
  lines(lines: readonly Text[]): Promise<void>;
  /** Writes text with its own syntax, regardless of the format: a script, a page, a body. It is unchanged, except on a terminal. */
  document(text: string): Promise<void>;
  /** Writes one JSON document in pieces; `--jq` needs the whole document. */
  json(pieces: AsyncIterable<string> | Iterable<string>): Promise<void>;
}
