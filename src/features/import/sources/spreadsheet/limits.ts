/** Limits for reading a spreadsheet. Each is checked before memory is allocated for what exceeds it. */
export interface SpreadsheetLimits {
  /** Bytes of the file itself. */
  readonly packedBytes: number;
  /** Bytes of the parts that are read, unpacked. */
  readonly unpackedBytes: number;
  /** Characters of all cells together, a shared text counted at each use. */
  readonly characters: number;
  /** Number of the last row with content. */
  readonly rows: number;
  /** Position of the last column with content. */
  readonly columns: number;
  /** Characters of all cells of one row: rows are processed by the thousand. */
  readonly rowCharacters: number;
  /** Entries of the table of shared texts, and their bytes: they stay in memory while rows are read. */
  readonly sharedTexts: number;
  readonly sharedTextBytes: number;
}

/** The limits of a spreadsheet program, and of what can be read with a few hundred megabytes of memory. */
export const spreadsheetLimits: SpreadsheetLimits = {
  packedBytes: 50 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  characters: 100_000_000,
  rows: 1_048_576,
  columns: 1_000,
  // A cell contains at most 32,767.
  rowCharacters: 50_000,
  sharedTexts: 10_000_000,
  sharedTextBytes: 100 * 1024 * 1024,
};

/**
 * The error for a file that is not a spreadsheet, is damaged, or exceeds a limit; `message` follows the name
 * of the file.
 */
export class SpreadsheetError extends Error {
  override readonly name = "SpreadsheetError";
}

/** A file that breaks the format's rules. */
export function damaged(what: string): SpreadsheetError {
  return new SpreadsheetError(`can't be read as a spreadsheet: ${what}`);
}

/** The error for a file that would need too much memory. */
export function tooLarge(why: string): SpreadsheetError {
  return new SpreadsheetError(`is too large for a spreadsheet: ${why}`);
}

/** Whole megabytes, for a message. */
export function megabytes(bytes: number): string {
  return `${grouped(Math.floor(bytes / 1024 / 1024))} MB`;
}

/** Grouped as in English: 1048576 → 1,048,576. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
