import type { Known } from "../../../write/existing.js";
import { type Fields, isAlike, isSame, normalized } from "../../../write/fields.js";
import { isKept, type ReplaceRules, splitRules } from "../../../write/input-row.js";

/**
 * Omits a value that an earlier run sent and that nobody has changed since then, even if the service normalized
 * the value.
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
    if (isKnown || isKept(rowValue, rules.keeps[field]) || isBlurred(rowValue, now[field])) continue;
    const value = Array.isArray(rowValue) ? listOf(field, now[field], rowValue, rules) : rowValue;
    if (!isSame(value, now[field])) changes[field] = value;
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/**
 * Returns whether the row's text differs only in lost letters. Some programs write a question mark for each
 * letter that the file's encoding lacks, such as "Y?lmaz" for "Yılmaz".
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
 * Returns whether the earlier run had the same `ReplaceRules` for a field. If not, this run may have to remove
 * list entries that the earlier run kept.
 */
function hasSameRules(field: string, { keeps, empties }: ReplaceRules, input: Fields): boolean {
  const { rules } = splitRules(input);
  return keeps[field] === rules.keeps[field] && empties.includes(field) === rules.empties.includes(field);
}

/**
 * Returns whether a replacement would remove entries from a list, for example because an earlier run only
 * added entries.
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
 * Returns the new list: the row's entries, and one old entry for each mostly empty column. An empty cell in
 * such a column doesn't mean that the contact has no entry.
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
  // Remove a contact's last phone number or email only at the user's request.
  return list.length === 0 && !rules.empties.includes(field) ? old : list;
}

/** Returns whether a change removes a value without replacing it. */
export function clearsValue(before: Fields, changes: Fields): boolean {
  return Object.entries(changes).some(([field, value]) => {
    const old = before[field];
    if (Array.isArray(value)) return Array.isArray(old) && old.length > value.length;
    return value === "" && old !== undefined && old !== null && old !== "";
  });
}
