import type { Fields } from "./fields.js";
import { excerpt, recordOf } from "./values.js";

export interface RowProblem {
  /** Name of the field, or `row` if the whole record is invalid. */
  readonly field: string;
  /** Name of the input file's column, if it differs from the field. */
  readonly column?: string;
  readonly value: string;
  readonly reason: string;
}

/** Returns the column of a problem, unless its name is empty or equals the field. */
export function namedColumn(field: string, column: string | undefined): Pick<RowProblem, "column"> {
  return column === undefined || column === "" || column === field ? {} : { column };
}

const valueCharacters = 40;

/** Formats a problem in one line, with the column and value that the user must correct. */
export function formatProblem(problem: { [Key in keyof RowProblem]?: unknown }): string {
  const { field, column, value, reason } = problem;
  if (typeof field !== "string" || field === "row") return String(reason);
  const parts = [
    ...(typeof column === "string" ? [`column ${JSON.stringify(column)}`] : []),
    ...(typeof value === "string" && value.trim() !== ""
      ? [`value ${JSON.stringify(excerpt(value, valueCharacters))}`]
      : []),
  ];
  return `${field}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}: ${String(reason)}`;
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const places = new RegExp(
  String.raw` \((?:column ${quoted}(?:, value ${quoted})?|value ${quoted})\)(?=: )`,
  "g",
);

/** Removes the columns and values that `formatProblem` adds, because a value can contain any text. */
export function removePlaces(error: string): string {
  return error.replace(places, "");
}

/** Limits what a row may remove when its values replace existing values. */
export interface ReplaceRules {
  /**
   * For each field, the number of ignored empty cells. As many existing list entries are kept. In a field with
   * a single value, 1 keeps the value.
   */
  readonly keeps: Readonly<Record<string, number>>;
  /** Fields whose last list entry may be removed. */
  readonly empties: readonly string[];
}

export interface InputRow {
  readonly number: number;
  readonly line: number;
  /** The row's fields in the API's format, or all problems in the row. */
  readonly read: { fields: Fields } | { problems: readonly [RowProblem, ...RowProblem[]] };
  readonly detail?: Fields;
  /** Skipped cells that could not be parsed. */
  readonly dropped?: readonly RowProblem[] | undefined;
  readonly rules?: ReplaceRules | undefined;
  /** Number of an earlier identical row. Set only for rows with keys. */
  readonly equals?: number | undefined;
  /** Returns the complete input record of a row that can't be imported. Set only if `read` is incomplete. */
  record?(): Fields;
}

export type OnMatch = "skip" | "update" | "replace" | "create";

/** Journal property that stores a row's `ReplaceRules` next to its fields. */
const rulesMember = "replace_rules";

export function withRules(fields: Fields, rules: ReplaceRules): Fields {
  return { ...fields, [rulesMember]: rules };
}

export function splitRules(input: Fields): { fields: Fields; rules: ReplaceRules } {
  const { [rulesMember]: kept, ...fields } = input;
  const { keeps, empties } = recordOf(kept);
  return {
    fields,
    rules: {
      keeps: Object.fromEntries(
        Object.entries(recordOf(keeps)).flatMap(([field, count]) =>
          typeof count === "number" ? [[field, count]] : [],
        ),
      ),
      empties: Array.isArray(empties) ? empties.filter((field) => typeof field === "string") : [],
    },
  };
}

/** Returns the fields that a journaled row sets. Empty values count only if the row has `ReplaceRules`. */
export function determinedFields(input: Fields): string[] {
  const { fields, rules } = splitRules(input);
  const isReplacing = rulesMember in input;
  return Object.keys(fields).filter((field) => {
    const value = fields[field];
    const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
    return isReplacing ? !isKept(value, rules.keeps[field]) : !isEmpty;
  });
}

export function isKept(value: unknown, keeps = 0): boolean {
  return value === "" && keeps > 0;
}
