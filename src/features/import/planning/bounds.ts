import { BulkError } from "../../../write/errors.js";

/** The number of resources of a group that a run may affect, absolute or in percent. */
export type Bound = { count: number } | { percent: number };

/**
 * Parses `20` or `10%`.
 * @throws BulkError `invalid_bound` with the flag
 */
export function parseBound(text: string, flag: string): Bound {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const number = Number(digits);
  const isWhole = percent === "%" ? number <= 100 : Number.isInteger(number);
  if (digits !== undefined && isWhole) return percent === "%" ? { percent: number } : { count: number };
  throw new BulkError(
    "invalid_bound",
    `${flag}: “${text}” is neither a number nor a percentage`,
    percent === "%" ? "100% means all of them" : "20, or 10%",
  );
}

/** The absolute number for a group of this size. */
export function allowedOf(bound: Bound, size: number): number {
  return "count" in bound ? bound.count : Math.floor((size * bound.percent) / 100);
}

/** "10 % of the group" */
export function boundText(bound: Bound): string {
  return "count" in bound ? String(bound.count) : `${bound.percent} % of the group`;
}

const mostDeleted = 200;
const deletePercent = 10;

/**
 * Returns the number of allowed deletes: the value of the flag, otherwise a tenth, at least 1 and at most
 * 200.
 */
export function allowedDeletes(bound: Bound | undefined, size: number): number {
  if (bound !== undefined) return allowedOf(bound, size);
  return Math.min(mostDeleted, Math.max(1, allowedOf({ percent: deletePercent }, size)));
}

/** Small groups are often replaced completely. */
const smallestGuarded = 20;

/**
 * The number of resources that a run may replace, and the number of those from which it may clear a value.
 */
export interface ReplaceBounds {
  maxUpdate: Bound | undefined;
  maxClear: Bound | undefined;
}

/**
 * Checks the bounds before the first write.
 * @throws BulkError `too_many_updates`, `too_many_clears`, with the flag that raises the bound
 */
export function assertReplaceBounds(
  { maxUpdate, maxClear }: ReplaceBounds,
  planned: { size: number; updated: number; cleared: number },
  resultsPath: string,
  plural = "contacts",
): void {
  const { size, updated, cleared } = planned;
  const refuse = (code: string, what: string, bound: Bound, flag: string) => {
    throw new BulkError(
      code,
      `${what} of the group's ${size} ${plural}, and ${boundText(bound)} ${"count" in bound && bound.count === 1 ? "is" : "are"} allowed; nothing was sent`,
      `they are listed in ${resultsPath}; if this is correct, use ${flag}`,
    );
  };
  const [update, clear] = [maxUpdate ?? { percent: 50 }, maxClear ?? { percent: 10 }];
  // A bound that the user specified applies to a group of any size.
  const isGuarded = (bound: Bound | undefined) => bound !== undefined || size >= smallestGuarded;
  if (isGuarded(maxUpdate) && updated > allowedOf(update, size))
    refuse("too_many_updates", `the file changes ${updated}`, update, `--max-update ${updated}`);
  if (isGuarded(maxClear) && cleared > allowedOf(clear, size))
    refuse("too_many_clears", `the file clears a value in ${cleared}`, clear, `--max-clear ${cleared}`);
}
