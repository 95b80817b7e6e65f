import type { Fields } from "../fields.js";
import type { InputRow } from "../input-row.js";
import type { RunType } from "../journal/identity.js";

/** An earlier row of the same input. */
export interface EarlierRow {
  readonly number: number;
  readonly fields: Fields;
}

/** Keys by which rows match each other and resources of the group. */
interface Keys {
  /** Keys by which rows find this resource. */
  readonly indexed: readonly string[];
  /**
   * Keys by which this row searches for a match, in levels from the most specific one. The first level with a match
   * decides.
   */
  readonly lookup: readonly (readonly string[])[];
  /** Keys by which later rows of the same input find this row, including its most specific keys. */
  readonly ofRow: readonly string[];
}

/** The differences between the types of resources in groups, such as contacts and glossary entries. */
export interface ImportAdapter {
  readonly type: RunType;
  /** Fields that voxctl writes. */
  readonly fields: readonly string[];
  /** Fields that only a get returns. */
  readonly unlisted: readonly string[];
  /** Returns the keys of the fields of a row or a resource. */
  keysOf(fields: Fields): Keys;
  /**
   * Returns the values by which a row matches a resource: one entry of each list and all strings must be equal. Empty
   * if only an equal resource matches.
   */
  identity(fields: Fields): Fields;
  /** Returns whether a string can represent a missing value. Such a string never replaces a value. */
  mayBeNothing(text: string): boolean;
  /** Returns the fields for the results file that identify an updated resource, in addition to the changed fields. */
  named(fields: Fields): Fields;
  /** Returns the fields for the results file of a row that needs no request. */
  shown(fields: Fields): Fields;
  /** Returns the matched resource's or row's name if it differs from the row's name. */
  findDifferingName(row: Fields, existing: Fields): string | undefined;
  /** Handles a row that has a key of an earlier row. Returns the outcome and the detail for the results file. */
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  /** Returns the fields of a row that are stored for comparison with later rows. */
  kept(row: InputRow, fields: Fields): Fields;
}
