import type { Text } from "../terminal/paint.js";

export type Format = "table" | "json" | "yaml" | "ndjson" | "csv";

/** One column of a table. */
export interface Column {
  header: string;
  /** Dotted path into the row, or what to show. */
  value: string | ((row: Readonly<Record<string, unknown>>) => unknown);
  /** Last to be shortened: ids, numbers and what is useless when cut. */
  keep?: boolean;
  /** Left out where the terminal is too narrow for all columns. */
  optional?: boolean;
  align?: "left" | "right";
  /** The table is about it: rows that all lack it, and have other fields, are shown as they came (T23). */
  figure?: boolean;
  /** A time, said relatively on a terminal; a status, in colour too. */
  as?: "time" | "status";
}

/** Rows beyond those that were asked for; `possible` where the service does not say it in a way that is understood. */
export type More = "none" | "possible" | "certain";

/** How a thing looks to a person; the other formats show it as it is. */
export interface View {
  columns: readonly Column[];
  /** Names of the fields, for the header of a CSV file without rows. */
  fields?: readonly string[];
  /** Rows that `--fields` was not meant for: requests of a dry run. */
  anyFields?: boolean;
  /** One thing as a person reads it, where its fields do not fit a person's form. */
  detail?: (item: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The message on stderr under an empty table: "no contacts". */
  empty?: string;
  /** The words for one row, and for several: for the line under a table on a terminal. */
  noun?: string;
  plural?: string;
  /** Are there more than were asked for? Asked after the last row. */
  more?: () => More;
}

/** Results, on stdout, in the chosen format. Nothing else goes there. */
export interface Output {
  readonly format: Format;
  /** One thing. */
  item(value: unknown, view?: View): Promise<void>;
  /** Many, as they come; holds a page at a time. Answers how many there were. */
  list(rows: AsyncIterable<unknown> | Iterable<unknown>, view: View): Promise<number>;
  /** Text for people, whatever the format. */
  text(text: Text): Promise<void>;
  /** Text for people, line by line. */
  lines(lines: readonly Text[]): Promise<void>;
  /** Text in a form of its own, whatever the format: a script, a page, a body. It is unchanged, unless a terminal shows it. */
  document(text: string): Promise<void>;
  /** One JSON document in pieces, as they come; `--jq` needs all of it at once. */
  json(pieces: AsyncIterable<string> | Iterable<string>): Promise<void>;
}
