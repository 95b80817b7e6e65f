import { InputError } from "../../base/input-error.js";

/** Labels of a member, including `name` and, if the member has a profile, `profile`. */
export type Labels = Readonly<Record<string, string>>;

/** Returns a label's value; undefined if the member lacks the label. Safe for names such as `constructor`. */
export function labelIn(labels: Labels, label: string): string | undefined {
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
}

interface Condition {
  label: string;
  isEqual: boolean;
  value: string;
  isPrefix: boolean;
}

export interface Selection {
  text: string;
  matches(labels: Labels): boolean;
}

/**
 * Parses a selection such as `kind=dental,ring!=canary`. A member must meet all conditions.
 * @param source flag or field that error messages name, such as `--select`
 * @throws InputError
 */
export function parseSelection(text: string, source: string): Selection {
  const conditions = text.split(",").map((part) => parseCondition(part.trim(), text, source));
  return {
    text,
    matches: (labels) => conditions.every((condition) => isMet(condition, labelIn(labels, condition.label))),
  };
}

/** Without selections, every member matches. */
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
