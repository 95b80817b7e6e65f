import type { Item, Result } from "../journal/item.js";
import { recordOf } from "../values.js";

/** Maximum number of attempts if no request has taken effect. */
const maximumAttempts = 5;
/** Maximum number of attempts if repeating the request is safe. */
const maximumResends = 20;

/**
 * Returns the result for a request that certainly had no effect. The item is sent again up to a maximum
 * number of attempts.
 */
export function requeue(item: Item): Result {
  const { number, attempts } = item;
  if (attempts < maximumAttempts) return { number, state: "planned" };
  return { number, state: "rejected", outcome: "failed", detail: { ...recordOf(item.detail), attempts } };
}

/**
 * Returns the result for a request that may have taken effect but is safe to repeat. The item is sent again
 * up to a maximum number of attempts.
 */
export function resend(item: Item): Result {
  const { number, attempts } = item;
  if (attempts < maximumResends) return { number, state: "planned" };
  return { number, state: "unknown", detail: { ...recordOf(item.detail), attempts, decided: false } };
}

export function unconfirmedResult({ number, detail }: Item, reason: string, more?: object): Result {
  return { number, state: "unknown", detail: { ...recordOf(detail), reason, ...more, decided: false } };
}
