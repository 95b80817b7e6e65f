import type { Fields } from "../fields.js";
import type { InputRow } from "../input-row.js";
import type { RunType } from "../journal/identity.js";

export interface EarlierRow {
  readonly number: number;
  readonly fields: Fields;
}

/** Rows match other rows and resources by these keys. */
interface Keys {
  /** Keys by which rows can find this resource. */
  readonly indexed: readonly string[];
  /** Keys for finding a match, from most to least specific. The first level with a match decides. */
  readonly lookup: readonly (readonly string[])[];
  /** Keys by which later rows can find this row. Includes the row's most specific keys. */
  readonly ofRow: readonly string[];
}

/** The parts of an import that depend on the type of its resources, such as contacts or glossary entries. */
export interface ImportAdapter {
  readonly type: RunType;
  readonly fields: readonly string[];
  /** Fields that only a get returns. */
  readonly unlisted: readonly string[];
  keysOf(fields: Fields): Keys;
  /**
   * Returns the values by which a row matches a resource. All strings must match, and at least one entry of
   * each list. Without values, only an equal resource matches.
   */
  identity(fields: Fields): Fields;
  /** Returns a key that resources with the same name share. A name alone never matches a row. */
  nameKey(fields: Fields): string;
  /**
   * Returns whether a string, such as "null", may mean a missing value. Such a string never replaces a value.
   */
  mayBeNothing(text: string): boolean;
  /** Returns fields that help the user to recognize an updated resource in the results file. */
  named(fields: Fields): Fields;
  /** Returns the results file's fields for a row that needs no request. */
  shown(fields: Fields): Fields;
  /** Returns the name of the matched resource or row, if it differs from the row's name. */
  findDifferingName(row: Fields, existing: Fields): string | undefined;
  /** Returns the outcome and detail of a row that shares a key with an earlier row. */
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  /** Returns the fields for the comparison with later rows. */
  kept(row: InputRow, fields: Fields): Fields;
}
