import type { Fields } from "./fields.js";

/** A problem in a row, with the data that a user needs to find and fix the cell. */
export interface RowProblem {
  /** Name of the field, or `row` if the whole record is invalid. */
  readonly field: string;
  /** Verbatim text from the input. */
  readonly value: string;
  readonly reason: string;
}

/** Rules for the lists of a resource that a row replaces. */
export interface ReplaceRules {
  /**
   * Number of list entries to keep, by field, because they may come from columns whose empty cells don't clear values.
   */
  readonly keeps: Readonly<Record<string, number>>;
  /** Fields whose last remaining list entry may be removed. */
  readonly empties: readonly string[];
}

/** One row of an input of any type. */
export interface InputRow {
  /** From 1. */
  readonly number: number;
  readonly line: number;
  /** The row's fields in the API's format, without missing ones; or all problems in the row. */
  readonly read: { fields: Fields } | { problems: readonly [RowProblem, ...RowProblem[]] };
  /** Data for the results file, such as a file name. */
  readonly detail?: Fields;
  /** Cells that were skipped because they could not be parsed. */
  readonly dropped?: readonly RowProblem[] | undefined;
  /** Rules for the resource that the row replaces. */
  readonly rules?: ReplaceRules | undefined;
  /** Number of an earlier row that is equal in every column. Set only for rows with keys. */
  readonly equals?: number | undefined;
  /** Returns the complete input record of a row that can't be imported, if the record has more fields than `read`. */
  record?(): Fields;
}

export type OnMatch = "skip" | "update" | "replace" | "create";
