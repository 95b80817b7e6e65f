export type Format = "csv" | "jsonl" | "json" | "xlsx";
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

/** One record of a file, as it stands there. */
export interface SourceRow {
  /** Counted from 1 as a person counts: data rows, without the header and without empty lines. */
  readonly number: number;
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  /** The columns' names. Rows of one shape share one array, so that what follows from it is worked out once. */
  readonly names: readonly string[];
  /** A cell per name. Text in CSV, anything in JSON. */
  readonly values: readonly unknown[];
  /** Why the record itself can't be read, where it can't. */
  readonly problem?: string;
  /** The record can't be read, and contains lines that may be rows of their own. */
  readonly hidesRows?: true;
  /** Cells that hold no value, by their position, with why: who reads the column can't go on, others need not care. */
  readonly unreadable?: ReadonlyMap<number, string>;
}

/** What a spreadsheet holds otherwise than a person sees it. */
export interface Unseen {
  /** Sheets that are not read, and have known columns, too. */
  readonly furtherSheets: readonly { name: string; isHidden: boolean }[];
  /** Hidden rows with content below the header: how many, and the numbers of the first few. */
  readonly hiddenRows: { readonly count: number; readonly first: readonly number[] };
  /** The names of hidden columns. */
  readonly hiddenColumns: readonly string[];
  /** Ranges of merged cells below the header whose content each of their rows has. */
  readonly filled: readonly string[];
  /** Those whose content only the first cell has. */
  readonly unfilled: readonly string[];
}

/** A file or stream that was looked at once and can be read as often as needed. */
export interface Source {
  /** As the user named it; `-` for standard input. */
  readonly name: string;
  readonly format: Format;
  readonly encoding: Encoding;
  /** SHA-256 of its bytes, hex. */
  readonly digest: string;
  readonly bytes: number;
  /** The sheet that is read, of a spreadsheet with several. */
  readonly sheet?: string;
  /** What a spreadsheet holds otherwise than a person sees it. */
  readonly unseen?: Unseen;
  /** The line, or the spreadsheet's row, that names the columns, where it was looked for. */
  readonly headerLine?: number;
  /** Between the cells of a CSV file. */
  readonly delimiter?: string;
  /** A CSV file that begins with a byte order mark, or is not UTF-8: a spreadsheet program wrote it. */
  readonly marked: boolean;
  /** The last line of a text file has its end. A file that was cut seldom has. */
  readonly endsWithLineEnd: boolean;
  /**
   * Its records, from the first, and at the end the columns' names that its header has: a table may have no more.
   * Holds a bounded part of the file.
   * @throws BulkError when it is no table that can be read, or changed since it was opened
   */
  rows(): AsyncGenerator<SourceRow, readonly string[]>;
  /** Releases the file; of a stream its temporary copy too. */
  close(): Promise<void>;
}
