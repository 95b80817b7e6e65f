import type { Fields } from "../fields.js";
import type { InputRow } from "../input-row.js";
import type { RunType } from "../journal/identity.js";

export interface EarlierRow {
  readonly number: number;
  readonly fields: Fields;
}

interface Keys {
  readonly indexed: readonly string[];
  /** Keys for finding a match, from most to least specific. The first level with a match decides. */
  readonly lookup: readonly (readonly string[])[];
  /** Keys by which later rows can find this row. Includes the row's most specific keys. */
  readonly ofRow: readonly string[];
}

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
  named(fields: Fields): Fields;
  shown(fields: Fields): Fields;
  findDifferingName(row: Fields, existing: Fields): string | undefined;
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  kept(row: InputRow, fields: Fields): Fields;
}
