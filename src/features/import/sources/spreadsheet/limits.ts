import { formatThousands } from "../../../../base/text.js";
/** Each limit is checked before memory is allocated. */
export interface SpreadsheetLimits {
  readonly packedBytes: number;
  /** Maximum total unpacked size of the parts that are read, in bytes. */
  readonly unpackedBytes: number;
  /** Maximum number of characters in all cells. A shared string counts each time it is used. */
  readonly characters: number;
  /** Highest allowed number of a row with content. */
  readonly rows: number;
  /** Highest allowed position of a column with content, starting at 1. */
  readonly columns: number;
  /** Maximum number of characters in one row. Thousands of rows are in memory at the same time. */
  readonly rowCharacters: number;
  /** Maximum number of shared strings. All shared strings stay in memory while rows are read. */
  readonly sharedTexts: number;
  readonly sharedTextBytes: number;
}

/**
 * Limits of spreadsheet programs. Some limits are lower, so that voxctl needs only a few hundred megabytes of
 * memory.
 */
export const spreadsheetLimits: SpreadsheetLimits = {
  packedBytes: 50 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  characters: 100_000_000,
  rows: 1_048_576,
  columns: 1_000,
  // Enough for the longest possible cell, which has 32,767 characters.
  rowCharacters: 50_000,
  sharedTexts: 10_000_000,
  sharedTextBytes: 100 * 1024 * 1024,
};

/**
 * Thrown for a file that is not a spreadsheet, is damaged, or exceeds a limit. `message` is the rest of a
 * sentence that starts with the file name.
 */
export class SpreadsheetError extends Error {
  override readonly name = "SpreadsheetError";
}

export function damaged(what: string): SpreadsheetError {
  return new SpreadsheetError(`can't be read as a spreadsheet: ${what}`);
}

export function tooLarge(why: string): SpreadsheetError {
  return new SpreadsheetError(`is too large for a spreadsheet: ${why}`);
}

export function megabytes(bytes: number): string {
  return `${formatThousands(Math.floor(bytes / 1024 / 1024))} MB`;
}
