import { BulkError } from "../../../write/errors.js";

/** Largest part of a group that a run is allowed to change: a number of resources, or a percentage. */
export type Bound = { count: number } | { percent: number };

/**
 * Parses a bound such as `20` or `10%`.
 * @throws BulkError `invalid_bound` with the flag
 */
export function parseBound(text: string, flag: string): Bound {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const number = Number(digits);
  const isWhole = percent === "%" ? number <= 100 : Number.isInteger(number);
  if (digits !== undefined && isWhole) return percent === "%" ? { percent: number } : { count: number };
  throw new BulkError(
    "invalid_bound",
    `invalid ${flag} "${text}": expected a number or a percentage`,
    percent === "%" ? "the maximum is 100%" : "write 20 or 10%",
  );
}

export function allowedOf(bound: Bound, size: number): number {
  return "count" in bound ? bound.count : Math.floor((size * bound.percent) / 100);
}

export function boundText(bound: Bound): string {
  return "count" in bound ? String(bound.count) : `${bound.percent}% of the group`;
}

const mostDeleted = 200;
const deletePercent = 10;

/**
 * Returns how many deletes are allowed. Without a bound: 10% of the group, but at least 1 and at most 200.
 */
export function allowedDeletes(bound: Bound | undefined, size: number): number {
  if (bound !== undefined) return allowedOf(bound, size);
  return Math.min(mostDeleted, Math.max(1, allowedOf({ percent: deletePercent }, size)));
}

/** Smallest group to which the default bounds apply. Users often replace all resources of a smaller group. */
const smallestGuarded = 20;

/** Bounds for updated resources and for resources that lose a value. Undefined means the default bound. */
export interface ReplaceBounds {
  maxUpdate: Bound | undefined;
  maxClear: Bound | undefined;
}

/** @throws BulkError `too_many_updates` or `too_many_clears`, with the flag that raises the bound */
export function assertReplaceBounds(
  { maxUpdate, maxClear }: ReplaceBounds,
  planned: { size: number; updated: number; cleared: number },
  resultsPath: string,
  plural = "contacts",
): void {
  const { size, updated, cleared } = planned;
  const refuse = (code: string, result: string, bound: Bound, flag: string, count: number) => {
    throw new BulkError(
      code,
      `${count} of ${size} ${plural} would ${result}, but ${flag} allows ${boundText(bound)}`,
      `check the list in ${resultsPath}; if it is correct, use ${flag} ${count}`,
    );
  };
  const [update, clear] = [maxUpdate ?? { percent: 50 }, maxClear ?? { percent: 10 }];
  // The user's own bound applies to groups of any size.
  const isGuarded = (bound: Bound | undefined) => bound !== undefined || size >= smallestGuarded;
  if (isGuarded(maxUpdate) && updated > allowedOf(update, size))
    refuse("too_many_updates", "be updated", update, "--max-update", updated);
  if (isGuarded(maxClear) && cleared > allowedOf(clear, size))
    refuse("too_many_clears", "lose a value", clear, "--max-clear", cleared);
}
