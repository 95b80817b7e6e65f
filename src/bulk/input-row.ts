import type { Fields } from "./fields.js";

/** A problem of a row: enough to find the cell and mend it. */
export interface RowProblem {
  /** The field, or `row` where the record itself is broken. */
  readonly field: string;
  /** As it stands in the input. */
  readonly value: string;
  readonly reason: string;
}

/** How far a row determines the lists of the thing that it replaces (S0). */
export interface ReplaceRules {
  /** By field: so many entries may come from columns whose empty cell says nothing. They stay. */
  readonly keeps: Readonly<Record<string, number>>;
  /** Fields whose last entry may go. */
  readonly empties: readonly string[];
}

/** One row of an input, whatever it is of. */
export interface InputRow {
  /** From 1. */
  readonly number: number;
  readonly line: number;
  /** The row's fields in the API's form, without absent ones; or all of its problems. */
  readonly read: { fields: Fields } | { problems: readonly [RowProblem, ...RowProblem[]] };
  /** For the report: the file's name … */
  readonly detail?: Fields;
  /** The part of the row that could not be read and was left out. */
  readonly dropped?: readonly RowProblem[] | undefined;
  /** How far it determines the thing that it replaces. */
  readonly rules?: ReplaceRules | undefined;
  /** The number of an earlier row that is equal in every column, of rows with keys. */
  readonly equals?: number | undefined;
  /** The same of a row that can't be imported, if it is more: the record as it stands in the input. */
  record?(): Fields;
}

export type OnMatch = "skip" | "update" | "replace" | "create";
