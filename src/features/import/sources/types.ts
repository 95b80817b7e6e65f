export type Format = "csv" | "jsonl" | "json" | "xlsx" | "vcard";
export type Encoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "windows-1252"
  | "windows-1250"
  | "iso-8859-2"
  | "iso-8859-15"
  | "macintosh"
  | "ibm850";

/** One record of a file, verbatim. */
export interface SourceRow {
  /** Number of the data row, from 1, without the header and empty lines. */
  readonly number: number;
  /** The line of the file on which it starts, from 1. */
  readonly line: number;
  /** The column names. Rows of one shape share one array, so that derived data can be cached. */
  readonly names: readonly string[];
  /** A cell per name. Text in CSV, anything in JSON. */
  readonly values: readonly unknown[];
  /** Why the record itself can't be read, if it can't. */
  readonly problem?: string;
  /** The record can't be read, and contains lines that may be separate rows. */
  readonly hidesRows?: true;
  /** Cells without a value, by position, with reasons: an error only for readers of that column. */
  readonly unreadable?: ReadonlyMap<number, string>;
  /** The text of a vCard, verbatim. */
  readonly raw?: string;
}

/** Content of a spreadsheet that users don't see in this form. */
export interface Unseen {
  /** Other sheets with known columns, which are not read. */
  readonly furtherSheets: readonly { name: string; isHidden: boolean }[];
  /** Hidden rows with content below the header: how many, and the numbers of the first few. */
  readonly hiddenRows: { readonly count: number; readonly first: readonly number[] };
  /** The names of hidden columns. */
  readonly hiddenColumns: readonly string[];
  /** Ranges of merged cells below the header whose value each of their rows has. */
  readonly filled: readonly string[];
  /** Ranges whose value only the first cell has. */
  readonly unfilled: readonly string[];
}

/** A file or stream that was looked at once and can be read as often as needed. */
export interface Source {
  /** Name as typed; `-` for standard input. */
  readonly name: string;
  readonly format: Format;
  readonly encoding: Encoding;
  /** SHA-256 of its bytes, hex. */
  readonly digest: string;
  readonly bytes: number;
  /** The sheet that is read, of a spreadsheet with several. */
  readonly sheet?: string;
  /** Content of a spreadsheet that users don't see in this form. */
  readonly unseen?: Unseen;
  /** The properties of vCards that feed no field, by name, as counted when all rows were read. */
  ignoredProperties?(): ReadonlyMap<string, number>;
  /** The line, or the row of the spreadsheet, with the column names, if it was searched for. */
  readonly headerLine?: number;
  /** Between the cells of a CSV file. */
  readonly delimiter?: string;
  /** A CSV file that starts with a byte order mark, or is not UTF-8: a spreadsheet program wrote it. */
  readonly marked: boolean;
  /** The last line of a text file has its end. A file that was cut seldom has. */
  readonly endsWithLineEnd: boolean;
  /**
   * Yields its records from the first, and at the end the column names of its header; a table can have only
   * these. Keeps a bounded part of the file in memory.
   * @throws BulkError if it is not a readable table, or was changed since it was opened
   */
  rows(): AsyncGenerator<SourceRow, readonly string[]>;
  /** Releases the file; of a stream its temporary copy too. */
  close(): Promise<void>;
}
