/** The safety checks of a sync that need only counts. They run before the first write. */
import { formatCount } from "../../base/text.js";
import { BulkError } from "../../write/errors.js";
import { allowedDeletes, allowedOf, type Bound, boundText } from "../import/planning/bounds.js";
import type { KeyMapHeader } from "./key-map.js";

/** Facts about the input file that the checks need. */
export interface FileFacts {
  name: string;
  /** Unit that `rows` counts. */
  unit: "row" | "file";
  rows: number;
  /** Number of invalid rows. */
  invalid: number;
  endsWithLineEnd: boolean;
  /** Incomplete last row, if any. */
  incomplete: { line: number; reason: string } | undefined;
}

/** Number of rows that the user expects. */
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
 * Maximum share of invalid rows in any file. Above `usualInvalid`, the share must also not exceed three times that of
 * the previous file.
 */
const mostInvalid = 0.25;
const usualInvalid = 0.05;

/**
 * Checks that a file is complete before contacts that it lacks are deleted.
 * @param last header of the key map from the last finished sync
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

/**
 * Returns whether the user's limit for deletions also accepts a file that looks truncated. The limit must be the exact
 * count or 100%.
 */
export function acceptsShrink(bound: Bound | undefined, deleted: number): boolean {
  return isWholeGroup(bound) || (bound !== undefined && "count" in bound && bound.count === deleted);
}

/** Returns whether a limit allows deleting all contacts of a group. */
export function isWholeGroup(bound: Bound | undefined): boolean {
  return bound !== undefined && "percent" in bound && bound.percent === 100;
}

const shrinkHint = (deleted: number) => `if the file is complete, use --max-delete ${deleted}`;

/**
 * Refuses a file that is much smaller than the previous one.
 * @param deleted number of contacts that the sync would delete, for the hint
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

/** A file looks truncated only if at least this many of its last rows are missing. */
const cutRows = 2;

/**
 * Refuses a file that lacks exactly the last rows of the previous file: it looks truncated.
 * @param backwards for each row of the previous file, last row first, whether it is missing
 * @throws BulkError `file_shrunk`
 */
export function assertNotCut(name: string, backwards: Iterable<boolean>, deleted: number): void {
  let count = 0;
  for (const isGone of backwards) {
    if (!isGone) break;
    count += 1;
  }
  if (count < cutRows) return;
  throw new BulkError(
    "file_shrunk",
    `${name} looks incomplete: it lacks exactly the last ${count} rows of the previous file`,
    shrinkHint(deleted),
  );
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

/** Maximum percentage of rows that a run may create in a group with contacts if no keys are known. */
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
    `${created} of ${rows} rows would be created in a group with ${size} contacts, because no keys are known`,
    "check the key map and --match; if these contacts are new, use --accept-new-map",
  );
}

const rekeyedLeast = 5;
const rekeyedPercent = 5;

/** A known key whose row has nothing in common with its contact. */
export interface Rekeyed {
  key: string;
  row: string;
  contact: string;
}

/**
 * Returns the error for a run whose keys are from a different column than the known keys. Such a run would create
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
