import type { Fields } from "../fields.js";
import type { InputRow } from "../input-row.js";
import type { RunType } from "../journal/identity.js";

export interface EarlierRow {
  readonly number: number;
  readonly fields: Fields;
}

/** Keys that match rows with each other and with resources of the group. */
interface Keys {
  /** Keys under which this resource is indexed, so that rows can find it. */
  readonly indexed: readonly string[];
  /**
   * Keys with which this row searches for a match, grouped into levels from most to least specific. The first level
   * with a match decides.
   */
  readonly lookup: readonly (readonly string[])[];
  /** Keys under which this row is indexed for later rows of the same input. Includes the row's most specific keys. */
  readonly ofRow: readonly string[];
}

/** The differences between the types of resources in groups, such as contacts and glossary entries. */
export interface ImportAdapter {
  readonly type: RunType;
  readonly fields: readonly string[];
  /** Fields that are returned only by a get. */
  readonly unlisted: readonly string[];
  /** Returns the keys for the fields of a row or a resource. */
  keysOf(fields: Fields): Keys;
  /**
   * Returns the values by which a row matches a resource. The resource must have all of their strings, and at least one entry of each list.
   * If there are no values, only an equal resource matches.
   */
  identity(fields: Fields): Fields;
  /** Returns a key that resources with the same name share. A name alone never matches a row. */
  nameKey(fields: Fields): string;
  /**
   * Returns whether a string, such as "null", may mean a missing value. Such a string never replaces a value.
   */
  mayBeNothing(text: string): boolean;
  /** Returns the fields that identify an updated resource in the results file, in addition to the changed fields. */
  named(fields: Fields): Fields;
  /** Returns the fields that the results file shows for a row that needs no request. */
  shown(fields: Fields): Fields;
  /** Returns the name of the matched resource or row if it differs from the row's name. */
  findDifferingName(row: Fields, existing: Fields): string | undefined;
  /** Handles a row that shares a key with an earlier row. Returns its outcome and its detail for the results file. */
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  /** Returns the row's fields with which later rows are compared. */
  kept(row: InputRow, fields: Fields): Fields;
}
