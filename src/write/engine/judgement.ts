import { ClientError } from "../../client/errors.js";
import type { Fields } from "../fields.js";
import type { Item, Result } from "../journal/item.js";
import { recordOf } from "../values.js";
import { isOutage } from "./circuit-breaker.js";

/**
 * Consequence of a failed request:
 * - `interrupted`: the run is stopping, so the request was not sent
 * - `lost`: the request may have taken effect
 * - `unavailable`: the request had no effect and can be sent again
 * - `refused`: the service rejected this item
 * - `stops`: every further request would fail in the same way
 */
export type Judgement = "interrupted" | "lost" | "unavailable" | "refused" | "stops";

/** Statuses that concern the key, the connection or the rate limit rather than a single item. */
const concernEveryRequest = new Set([401, 402, 403, 407, 408, 421, 425, 426, 429]);

export function judgeFailure(error: unknown, signal: AbortSignal): Judgement {
  // The run was interrupted while the request waited for a retry.
  if (signal.aborted && error === signal.reason) return "interrupted";
  if (!(error instanceof ClientError) || error.outcome === "unknown") return "lost";
  if (isOutage(error)) return "unavailable";
  const { status = 0 } = error;
  const isRefusal = error.type === "api" && status >= 400 && status < 500 && !concernEveryRequest.has(status);
  return isRefusal ? "refused" : "stops";
}

/** Returns the result for a response without an ID. A list must then be searched for the resource. */
export function withoutId(number: number, detail: Fields = {}): Result {
  return { number, state: "unknown", detail: { ...detail, reason: "the response has no id" } };
}

export function failedResult({ number, detail }: Item, error: ClientError): Result {
  return {
    ...{ number, state: "rejected", outcome: "failed" },
    detail: { ...recordOf(detail), ...failureDetail(error) },
  };
}

export function failureDetail(error: ClientError): {
  reason: string;
  code: string;
  status?: number;
  details?: unknown;
} {
  return {
    reason: error.message,
    code: error.code,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.details.length > 0 ? { details: error.details } : {}),
  };
}
