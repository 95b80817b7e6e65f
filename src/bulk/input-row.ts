import type { Fields } from "./fields.js";

/** What is wrong with a row: enough to find the cell and mend it. */
export interface RowProblem {
  /** The field, or `row` where the record itself is broken. */
  readonly field: string;
  /** As it stands in the input. */
  readonly value: string;
  readonly reason: string;
}

/** One row of an input, whatever it is of. */
export interface InputRow {
  /** From 1. */
  readonly number: number;
  readonly line: number;
  /** What it says, in the API's form, without fields that it says nothing of; or everything that is wrong with it. */
  readonly read: { fields: Fields } | { problems: readonly [RowProblem, ...RowProblem[]] };
  /** For the report: the file's name … */
  readonly detail?: Fields;
  /** The same of a row that can't be imported, if it is more: the record as it stands in the input. */
  record?(): Fields;
}

export type OnMatch = "skip" | "update" | "create";
