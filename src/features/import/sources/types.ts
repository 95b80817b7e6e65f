export type Format = "csv" | "jsonl" | "json" | "xlsx" | "vcard";
export type Encoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "windows-1252"
  | "windows-1250"
  | "windows-1254"
  | "iso-8859-2"
  | "iso-8859-15"
  | "macintosh"
  | "ibm850";

export interface SourceRow {
  /** Number of the row, starting at 1. The header and empty lines don't count. */
  readonly number: number;
  /** Line of the file on which the record starts, starting at 1. */
  readonly line: number;
  /** Column names. Rows with the same columns share one array, so that derived data can be cached. */
  readonly names: readonly string[];
  /** One cell per name: text in CSV, any value in JSON. */
  readonly values: readonly unknown[];
  /** Why the whole record can't be read; undefined if it can. */
  readonly problem?: string;
  /** Cells as written, with their quotes, if the quotes are ambiguous. */
  readonly written?: readonly string[];
  /** Set for the last row of a table if the file looks truncated there. */
  readonly isTruncated?: true;
  /** Set if the record can't be read because it seems to contain other rows. */
  readonly hidesRows?: true;
  /** Reasons why cells can't be read, by column position. Reasons in unused columns are ignored. */
  readonly unreadable?: ReadonlyMap<number, string>;
  readonly raw?: string;
}

export interface Unseen {
  /** Sheets that have similar columns but are not read. */
  readonly furtherSheets: readonly { name: string; isHidden: boolean }[];
  /** Count of the hidden rows with content below the header, and the row numbers of the first few. */
  readonly hiddenRows: { readonly count: number; readonly first: readonly number[] };
  readonly hiddenColumns: readonly string[];
  /** Ranges of merged cells below the header. The value of each range is copied to all rows of the range. */
  readonly filled: readonly string[];
  /** Ranges of merged cells whose value isn't copied to the other rows. */
  readonly unfilled: readonly string[];
}

/** A file or stream that was scanned once and can be read repeatedly. */
export interface Source {
  /** Name as typed; `-` means standard input. */
  readonly name: string;
  readonly format: Format;
  readonly encoding: Encoding;
  /** SHA-256 of the content, in hexadecimal. */
  readonly digest: string;
  readonly bytes: number;
  /** Name of the sheet that is read, if the spreadsheet has several. */
  readonly sheet?: string;
  readonly unseen?: Unseen;
  /**
   * Returns the number of occurrences of each vCard property that is not a field of a contact. The map is
   * complete only after all rows were read.
   */
  ignoredProperties?(): ReadonlyMap<string, number>;
  /** Line (in a spreadsheet: row) with the column names; undefined for formats without a header. */
  readonly headerLine?: number;
  readonly delimiter?: string;
  readonly quote?: '"' | "'";
  /**
   * Whether a CSV file starts with a byte order mark or is not UTF-8, which suggests that a spreadsheet program
   * wrote it.
   */
  readonly marked: boolean;
  /** Whether a text file ends with a line ending, unlike most truncated files. */
  readonly endsWithLineEnd: boolean;
  /**
   * Yields all records, then returns the column names.
   * @throws BulkError if the source can't be read or has changed since it was opened
   */
  rows(): AsyncGenerator<SourceRow, readonly string[]>;
  close(): Promise<void>;
}
