import type { Fields } from "./fields.js";

/** A problem of a row, with enough data to find and fix the cell. */
export interface RowProblem {
  /** The field, or `row` if the record itself is broken. */
  readonly field: string;
  /** Verbatim text of the input. */
  readonly value: string;
  readonly reason: string;
}

/** How far a row determines the lists of the resource that it replaces (S0). */
export interface ReplaceRules {
  /**
   * By field: number of entries to keep, because they may come from columns whose empty cells mean nothing.
   */
  readonly keeps: Readonly<Record<string, number>>;
  /** Fields whose last entry may be removed. */
  readonly empties: readonly string[];
}

/** One row of an input of any type. */
export interface InputRow {
  /** From 1. */
  readonly number: number;
  readonly line: number;
  /** The row's fields in the API's form, without absent ones; or all of its problems. */
  readonly read: { fields: Fields } | { problems: readonly [RowProblem, ...RowProblem[]] };
  /** For the results file: the name of the file, for example. */
  readonly detail?: Fields;
  /** The part of the row that could not be read and was skipped. */
  readonly dropped?: readonly RowProblem[] | undefined;
  /** How far it determines the resource that it replaces. */
  readonly rules?: ReplaceRules | undefined;
  /** The number of an earlier row that is equal in every column, of rows with keys. */
  readonly equals?: number | undefined;
  /** The complete input record of a row that can't be imported, if it has more fields. */
  record?(): Fields;
}

export type OnMatch = "skip" | "update" | "replace" | "create";
