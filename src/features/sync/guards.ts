import { formatCount } from "../../base/text.js";
import { BulkError } from "../../write/errors.js";
import { allowedDeletes, allowedOf, type Bound, boundText } from "../import/planning/bounds.js";
import type { KeyMapHeader } from "./key-map.js";

export interface FileFacts {
  name: string;
  unit: "row" | "file";
  rows: number;
  invalid: number;
  endsWithLineEnd: boolean;
  incomplete: { line: number; reason: string } | undefined;
}

export interface RowRange {
  least: number;
  most: number;
}

/**
 * Parses `120` or `100-150`.
 * @throws BulkError `invalid_range`
 */
export function parseRowRange(text: string): RowRange {
  const [, least, most = least] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  if (least !== undefined && Number(least) <= Number(most))
    return { least: Number(least), most: Number(most) };
  throw new BulkError(
    "invalid_range",
    `invalid --expect-rows "${text}": expected a number or range, such as 120 or 100-150`,
  );
}

/** @throws BulkError `unexpected_rows` */
export function assertExpectedRows({ name, rows, unit }: FileFacts, expected: RowRange | undefined): void {
  if (expected === undefined || (rows >= expected.least && rows <= expected.most)) return;
  const { least, most } = expected;
  throw new BulkError(
    "unexpected_rows",
    `${name} has ${formatCount(rows, unit)}, but --expect-rows expects ${least === most ? least : `${least} to ${most}`}`,
    "check whether the file is complete, or correct --expect-rows",
  );
}

/**
 * Maximum share of invalid rows. A share above `usualInvalid` must also be at most three times the previous
 * file's share.
 */
const mostInvalid = 0.25;
const usualInvalid = 0.05;

/**
 * Checks that a file is complete, because contacts that are not in the file will be deleted.
 * @param last header of the key map after the previous sync
 * @throws BulkError `file_incomplete`, `too_many_invalid`
 */
export function assertWholeFile(file: FileFacts, last: KeyMapHeader | undefined): void {
  const { name, unit, rows, invalid, incomplete } = file;
  const hint = "fix the file; no flag skips this check";
  if (rows === 0) throw new BulkError("file_incomplete", `${name} contains no ${unit}s`, hint);
  if (incomplete !== undefined) {
    throw new BulkError(
      "file_incomplete",
      `${name} is incomplete: line ${incomplete.line} ${incomplete.reason}`,
      hint,
    );
  }
  const share = invalid / rows;
  const lastShare = last === undefined || last.rows === 0 ? 1 : last.invalid / last.rows;
  if (share > mostInvalid || (share > usualInvalid && share > 3 * lastShare)) {
    throw new BulkError(
      "too_many_invalid",
      `${invalid} of ${rows} ${unit}s in ${name} are invalid`,
      `fix these ${unit}s, or omit --delete to sync the valid ${unit}s`,
    );
  }
}

/** `--max-delete` with 100% or the exact number of deletions permits a truncated file. */
export function acceptsShrink(bound: Bound | undefined, deleted: number): boolean {
  return isWholeGroup(bound) || (bound !== undefined && "count" in bound && bound.count === deleted);
}

export function isWholeGroup(bound: Bound | undefined): boolean {
  return bound !== undefined && "percent" in bound && bound.percent === 100;
}

const shrinkHint = (deleted: number) => `if the file is complete, use --max-delete ${deleted}`;

/**
 * @param deleted number of contacts that would be deleted, for the hint
 * @throws BulkError `file_shrunk`
 */
export function assertNotShrunk(
  { name, unit, rows, endsWithLineEnd }: FileFacts,
  last: KeyMapHeader | undefined,
  deleted: number,
): void {
  if (last === undefined) return;
  const lift = shrinkHint(deleted);
  if (last.line_end && !endsWithLineEnd) {
    throw new BulkError(
      "file_shrunk",
      `${name} looks incomplete: unlike the previous file, it does not end with a line break`,
      lift,
    );
  }
  if (rows * 2 < last.rows) {
    throw new BulkError(
      "file_shrunk",
      `${name} looks incomplete: it has ${formatCount(rows, unit)}, but the previous file had ${last.rows}`,
      lift,
    );
  }
}

/** Minimum number of missing last rows that makes a file look truncated. */
const cutRows = 2;

/**
 * Checks that a file is not the previous file without its last rows: such a file was probably truncated.
 * @param backwards whether each row of the previous file is missing, starting with the last row
 * @throws BulkError `file_shrunk`
 */
export function assertNotCut(name: string, backwards: Iterable<boolean>, deleted: number): void {
  let count = 0;
  let isAll = true;
  for (const isGone of backwards) {
    isAll = isGone;
    if (!isGone) break;
    count += 1;
  }
  if (count < cutRows) return;
  const lacks = isAll
    ? `it has none of the ${count} rows of the previous file`
    : `it lacks exactly the last ${count} rows of the previous file`;
  throw new BulkError("file_shrunk", `${name} looks incomplete: ${lacks}`, shrinkHint(deleted));
}

/** @throws BulkError `too_many_deletes` */
export function assertDeletes(
  bound: Bound | undefined,
  { deleted, size, plural }: { deleted: number; size: number; plural: string },
  resultsPath: string,
): void {
  const allowed = allowedDeletes(bound, size);
  if (deleted <= allowed) return;
  const limit = bound === undefined ? String(allowed) : boundText(bound);
  throw new BulkError(
    "too_many_deletes",
    `${deleted} of ${size} ${plural} would be deleted, but --max-delete allows ${limit}`,
    `see ${resultsPath}; if this is correct, use --max-delete ${deleted}`,
  );
}

/** If no keys are known but the group has contacts, at most this percentage of rows may create contacts. */
const newKeysPercent = 20;

/** @throws BulkError `map_lost` */
export function assertNotLost(
  { created, rows, size, isMapEmpty }: { created: number; rows: number; size: number; isMapEmpty: boolean },
  { acceptNewMap }: { acceptNewMap: boolean },
): void {
  if (acceptNewMap || !isMapEmpty || size === 0 || created <= allowedOf({ percent: newKeysPercent }, rows))
    return;
  throw new BulkError(
    "map_lost",
    `${created} of ${rows} rows would be created in a group with ${size} contacts, because the key map contains no keys`,
    "check the key map and --match; if these contacts are new, use --accept-new-map",
  );
}

const rekeyedLeast = 5;
const rekeyedPercent = 5;

export interface Rekeyed {
  key: string;
  row: string;
  contact: string;
}

/**
 * Returns the error for keys from a different column than in earlier runs. A run with these keys would create
 * all contacts again.
 */
export function otherColumnError(known: string, column: string): BulkError {
  return new BulkError(
    "keys_reassigned",
    `the keys from earlier runs are from column "${known}", but --key is "${column}"`,
    `use --key "${known}", or replace the known keys with --accept-rekey`,
  );
}

/** @throws BulkError `keys_reassigned` with up to ten examples */
export function assertSameKeys(
  { known, reassigned, examples }: { known: number; reassigned: number; examples: readonly Rekeyed[] },
  { acceptRekey }: { acceptRekey: boolean },
): void {
  if (
    acceptRekey ||
    reassigned <= rekeyedLeast ||
    reassigned <= allowedOf({ percent: rekeyedPercent }, known)
  )
    return;
  const shown = examples.map(({ key, row, contact }) => `${key}: "${contact}" → "${row}"`).join(", ");
  throw new BulkError(
    "keys_reassigned",
    `${reassigned} of ${known} known keys now identify a different contact: ${shown}`,
    "check whether the keys were renumbered; if the changes are correct, use --accept-rekey",
  );
}
