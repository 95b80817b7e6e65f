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
  /** Number of list entries to keep, by field. They may come from columns whose empty cells don't clear values. */
  readonly keeps: Readonly<Record<string, number>>;
  /** Fields whose last entry may be removed. */
  readonly empties: readonly string[];
}

/** One row of an input of any type. */
export interface InputRow {
  /** From 1. */
  readonly number: number;
  readonly line: number;
  /** The row's fields as the API expects them, without missing ones; or all problems of the row. */
  readonly read: { fields: Fields } | { problems: readonly [RowProblem, ...RowProblem[]] };
  /** Data for the results file, such as a file name. */
  readonly detail?: Fields;
  /** Cells of the row that could not be read and were skipped. */
  readonly dropped?: readonly RowProblem[] | undefined;
  /** Rules for the resource that the row replaces. */
  readonly rules?: ReplaceRules | undefined;
  /** For rows with keys: number of an earlier row that is equal in every column. */
  readonly equals?: number | undefined;
  /** Returns the complete input record of a row that can't be imported, if the record has more fields. */
  record?(): Fields;
}

export type OnMatch = "skip" | "update" | "replace" | "create";
