import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { recordOf } from "../values.js";

/** After so many tries, each found not to have happened, it is given up. */
const maximumAttempts = 5;
/** The same for what does no harm twice. */
const maximumResends = 20;

/** Certainly did not happen: it may be sent again, unless that was tried often enough. */
export function requeue(item: Item): Result {
  const { number, attempts } = item;
  if (attempts < maximumAttempts) return { number, state: "planned" };
  return { number, state: "rejected", outcome: "failed", detail: { ...recordOf(item.detail), attempts } };
}

/** May have happened, and does no harm twice: it is sent again, unless that was tried often enough. */
export function resend(item: Item): Result {
  const { number, attempts } = item;
  if (attempts < maximumResends) return { number, state: "planned" };
  return { number, state: "unknown", detail: { ...recordOf(item.detail), attempts, decided: false } };
}

/** Decides about every item whose answer was lost, one by one. */
export function retryLost(journal: Journal, decide: (item: Item) => Result): void {
  for (const item of eachIn(journal, "unknown")) if (!isFinal(item)) journal.record([decide(item)], []);
}

/** Nothing more can be found out. */
export function unconfirmedResult({ number, detail }: Item, reason: string, more?: object): Result {
  return { number, state: "unknown", detail: { ...recordOf(detail), reason, ...more, decided: false } };
}
