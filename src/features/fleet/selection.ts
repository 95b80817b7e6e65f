import { InputError } from "../../base/input-error.js";

/** Labels of a member, including `name` and, for a member with a profile, `profile`. */
export type Labels = Readonly<Record<string, string>>;

interface Condition {
  label: string;
  isEqual: boolean;
  /** Value, or its beginning if `isPrefix` is set. */
  value: string;
  isPrefix: boolean;
}

/** A condition on labels: the text as typed, and a predicate. */
export interface Selection {
  text: string;
  matches(labels: Labels): boolean;
}

/**
 * Parses a selection such as `kind=dental,ring!=canary`, in which all conditions must hold.
 * @param source name of the text in messages: `--select`
 * @throws InputError
 */
export function parseSelection(text: string, source: string): Selection {
  const conditions = text.split(",").map((part) => parseCondition(part.trim(), text, source));
  return {
    text,
    matches: (labels) => conditions.every((condition) => isMet(condition, labels[condition.label])),
  };
}

/** Returns a predicate for members that match any of the selections; every member matches an empty list. */
export function matchesAny(selections: readonly Selection[]): (labels: Labels) => boolean {
  return (labels) => selections.length === 0 || selections.some(({ matches }) => matches(labels));
}

function parseCondition(part: string, text: string, source: string): Condition {
  const [, label = "", operator, value = ""] = /^([A-Za-z0-9._-]+)(!?=)([^*]+\*?|\*)$/.exec(part) ?? [];
  if (operator === undefined)
    throw new InputError(
      `invalid ${source} "${text}": expected conditions such as kind=dental,ring!=canary; a value can end in *`,
    );
  const isPrefix = value.endsWith("*");
  return { label, isEqual: operator === "=", value: isPrefix ? value.slice(0, -1) : value, isPrefix };
}

function isMet({ value, isPrefix, isEqual }: Condition, actual: string | undefined): boolean {
  const isMatch = actual !== undefined && (isPrefix ? actual.startsWith(value) : actual === value);
  return isMatch === isEqual;
}
