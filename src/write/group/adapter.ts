import type { Fields } from "../fields.js";
import type { InputRow } from "../input-row.js";
import type { RunType } from "../journal/identity.js";

/** An earlier row of the same input. */
export interface EarlierRow {
  readonly number: number;
  readonly fields: Fields;
}

/** The keys by which a row and a resource of the group match. */
interface Keys {
  /** Keys by which other rows find it. */
  readonly indexed: readonly string[];
  /** Keys by which it searches for a match, the most specific first: one match on a level suffices. */
  readonly lookup: readonly (readonly string[])[];
  /**
   * Keys by which later rows of the same input find this row. They search by their most specific keys, which
   * are included.
   */
  readonly ofRow: readonly string[];
}

/** The differences between types of resources in a group: contacts, glossary entries … */
export interface ImportAdapter {
  readonly type: RunType;
  /** The fields that voxctl writes. */
  readonly fields: readonly string[];
  /** The fields that only `get` returns. */
  readonly unlisted: readonly string[];
  /** Returns the keys of the fields of a row or a resource. */
  keysOf(fields: Fields): Keys;
  /**
   * Returns the values by which a row matches a resource: any entry of its lists, and all of its texts. Empty
   * if only an equal resource matches.
   */
  identity(fields: Fields): Fields;
  /** Returns whether the text can mean a missing value. Such a text never replaces a value. */
  mayBeNothing(text: string): boolean;
  /** The fields in the results file for an update, in addition to the change. */
  named(fields: Fields): Fields;
  /** The fields in the results file for a row that needs no request. */
  shown(fields: Fields): Fields;
  /** The name of the matched resource or row, if it differs from the row's name. */
  findDifferingName(row: Fields, existing: Fields): string | undefined;
  /** Handles a row with a key of an earlier one. Returns the outcome and the detail for the results file. */
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  /** The stored fields of a row, for comparison with later rows. */
  kept(row: InputRow, fields: Fields): Fields;
}
