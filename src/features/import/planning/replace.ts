import type { Known } from "../../../write/existing.js";
import { type Fields, isAlike, isSame, normalized } from "../../../write/fields.js";
import type { ReplaceRules } from "../../../write/input-row.js";
import { recordOf } from "../../../write/values.js";

/** Name of the member with the rules of a row, next to its fields in the journal. */
const rulesMember = "replace_rules";

/** A row's fields with its rules, as stored in the journal. */
export function withRules(fields: Fields, rules: ReplaceRules): Fields {
  return { ...fields, [rulesMember]: rules };
}

/** Splits the journaled input into fields and rules. */
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

/**
 * Returns the changes that update a resource to match the fields of a row: a PATCH of the differences,
 * undefined without differences. A value that was sent before and is still as in the response is not sent
 * again; a value that differs only in spelling is sent once.
 */
export function buildReplacement(
  now: Fields,
  row: Fields,
  rules: ReplaceRules,
  known?: Known,
): Fields | undefined {
  const changes: Record<string, unknown> = {};
  for (const [field, rowValue] of Object.entries(row)) {
    const isKnown =
      known !== undefined &&
      field in known.input &&
      hasSameRules(field, rules, known.input) &&
      isSame(rowValue, known.input[field]) &&
      isAlike(field, now[field], known.answer[field]) &&
      !hasMore(now[field], rowValue, rules.keeps[field]);
    if (isKnown || isBlurred(rowValue, now[field])) continue;
    const value = Array.isArray(rowValue) ? listOf(field, now[field], rowValue, rules) : rowValue;
    if (!isSame(value, now[field])) changes[field] = value;
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/**
 * Returns whether a text equals the current one except for letters that the encoding of the file lacks. A
 * spreadsheet that saves "Yılmaz" as Western text writes "Y?lmaz".
 */
function isBlurred(rowValue: unknown, now: unknown): boolean {
  if (typeof rowValue !== "string" || typeof now !== "string" || !/[?\ufffd]/.test(rowValue)) return false;
  const [letters, own] = [[...rowValue], [...now.normalize("NFC")]];
  const isLost = (letter: string, index: number) =>
    (letter === "?" || letter === "\ufffd") && (own[index] ?? "") > "\u007f";
  return (
    letters.length === own.length &&
    letters.every((letter, index) => letter === own[index] || isLost(letter, index))
  );
}

/**
 * Returns whether a list was sent under the current rules. Other rules may remove entries that were kept
 * before.
 */
function hasSameRules(field: string, { keeps, empties }: ReplaceRules, input: Fields): boolean {
  const { rules } = splitRules(input);
  return keeps[field] === rules.keeps[field] && empties.includes(field) === rules.empties.includes(field);
}

/**
 * Returns whether a list has more entries than a row and its mostly empty columns allow. A run that only
 * added entries sent the same row, and its response also contains the earlier ones.
 */
function hasMore(now: unknown, rowValue: unknown, keeps = 0): boolean {
  return (
    Array.isArray(now) &&
    Array.isArray(rowValue) &&
    rowValue.length > 0 &&
    now.length > rowValue.length + keeps
  );
}

/**
 * Returns the entries of the row, and of the others those that the row does not cover. A new entry replaces
 * an old one; remaining entries are kept as far as mostly empty columns may contain them.
 */
function listOf(field: string, now: unknown, rowValues: readonly unknown[], rules: ReplaceRules): unknown[] {
  const old: unknown[] = Array.isArray(now) ? now : [];
  const forms = new Set(rowValues.map((entry) => normalized(field, entry)));
  const oldForms = new Set(old.map((entry) => normalized(field, entry)));
  const notInRow = old.filter((entry) => !forms.has(normalized(field, entry)));
  const added = [...forms].filter((form) => !oldForms.has(form)).length;
  const remaining = notInRow.slice(added);
  const silent = rules.keeps[field] ?? 0;
  const kept = silent === 0 ? [] : remaining.slice(-silent);
  const list = [...rowValues, ...kept];
  // The last number or email of a contact is removed only on request.
  return list.length === 0 && !rules.empties.includes(field) ? old : list;
}

/** Returns whether a change clears a value without replacing it. */
export function clearsValue(before: Fields, changes: Fields): boolean {
  return Object.entries(changes).some(([field, value]) => {
    const old = before[field];
    if (Array.isArray(value)) return Array.isArray(old) && old.length > value.length;
    return value === "" && old !== undefined && old !== null && old !== "";
  });
}
