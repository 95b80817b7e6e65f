/**
 * The refusals of a synchronization (S1, K4, K5), decided by counts alone. Nothing is sent after a refusal.
 */
import { formatCount } from "../../base/text.js";
import { BulkError } from "../../write/errors.js";
import { allowedDeletes, allowedOf, type Bound, boundText } from "../import/planning/bounds.js";
import type { KeyMapHeader } from "./key-map.js";

/** A file as it was read, with the results of its rows. */
export interface FileFacts {
  name: string;
  /** The unit that `rows` counts. */
  unit: "row" | "file";
  rows: number;
  /** Rows that can't be used unchanged. */
  invalid: number;
  endsWithLineEnd: boolean;
  /** The last row is not whole. */
  incomplete: { line: number; reason: string } | undefined;
}

/** How many rows the user expects. */
export interface RowRange {
  least: number;
  most: number;
}

/**
 * Reads `120` or `100-150`.
 * @throws BulkError `invalid_range`
 */
export function parseRowRange(text: string): RowRange {
  const [, least, most = least] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  if (least !== undefined && Number(least) <= Number(most))
    return { least: Number(least), most: Number(most) };
  throw new BulkError(
    "invalid_range",
    `invalid --expect-rows “${text}”: expected a number or range, such as 120 or 100-150`,
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

/** Up to this share of a file's rows may be invalid; no less than the last file, three times over. */
const mostInvalid = 0.25;
const usualInvalid = 0.05;

/**
 * Checks that a file is complete before contacts are deleted because of it (S1).
 * @param last of the last finished synchronization
 * @throws BulkError `file_incomplete`, `too_many_invalid`: fix the file
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
      `${invalid} of ${rows} ${unit}s of ${name} are invalid`,
      `fix these ${unit}s, or omit --delete to write the others`,
    );
  }
}

/**
 * Whether a bound of deletions also accepts a file that looks cut: it is the exact count, or the whole group.
 */
export function acceptsShrink(bound: Bound | undefined, deleted: number): boolean {
  return isWholeGroup(bound) || (bound !== undefined && "count" in bound && bound.count === deleted);
}

/** Whether a bound allows to delete all contacts of a group. */
export function isWholeGroup(bound: Bound | undefined): boolean {
  return bound !== undefined && "percent" in bound && bound.percent === 100;
}

const shrinkHint = (deleted: number) => `if the file is complete, use --max-delete ${deleted}`;

/**
 * Compares the size of a file with the last synchronized one (S1).
 * @param deleted deletions that the file leads to
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
      `${name} looks incomplete: unlike the last file, it does not end with a line break`,
      lift,
    );
  }
  if (rows * 2 < last.rows) {
    throw new BulkError(
      "file_shrunk",
      `${name} looks incomplete: it has ${formatCount(rows, unit)}, but the last file had ${last.rows}`,
      lift,
    );
  }
}

/** Number of deleted last rows from which a file looks truncated. */
const cutRows = 2;

/**
 * If exactly the last rows of the last file are missing, the file looks truncated (S1).
 * @param backwards for the rows of the last file, from its end: whether each is missing
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
    `${name} looks incomplete: exactly the last ${count} rows of the last file are missing`,
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
    `${deleted} of ${size} ${plural} will be deleted, but --max-delete allows ${limit}`,
    `see ${resultsPath}; if this is correct, use --max-delete ${deleted}`,
  );
}

/** With an empty map, most rows of a filled group must be found there (K4). */
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
    `${created} of ${rows} rows will be created in a group with ${size} contacts, because no keys are known`,
    "check the key map and --match; if these contacts are new, use --accept-new-map",
  );
}

const rekeyedLeast = 5;
const rekeyedPercent = 5;

/** A key whose contact no longer has anything in common with its row. */
export interface Rekeyed {
  key: string;
  row: string;
  contact: string;
}

/** The known keys are those of one column, and a run uses another: without them, it would create contacts again. */
export function otherColumnError(known: string, column: string): BulkError {
  return new BulkError(
    "keys_reassigned",
    `the known keys are those of column “${known}”, not of “${column}”`,
    `use the column “${known}” with --key; to replace the known keys with those of “${column}”, use --accept-rekey`,
  );
}

/** @throws BulkError `keys_reassigned`, with ten examples */
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
  const shown = examples.map(({ key, row, contact }) => `${key}: “${contact}” → “${row}”`).join(", ");
  throw new BulkError(
    "keys_reassigned",
    `${reassigned} of ${known} known keys now identify a different contact: ${shown}`,
    "check whether the keys were renumbered; if the changes are correct, use --accept-rekey",
  );
}
