import { ClientError } from "../../client/errors.js";
import type { Item, Result } from "../journal/item.js";
import type { Work } from "./execute.js";

/** What a failure means for its item, and for the run. */
export function judgeFailure(
  item: Item,
  error: unknown,
  work: Work,
  signal: AbortSignal,
): { result: Result; stops: boolean } {
  const { number } = item;
  // It was refused and waited to ask again when the run was interrupted.
  if (signal.aborted && error === signal.reason) return { result: { number, state: "planned" }, stops: true };
  if (!(error instanceof ClientError)) {
    return { result: { number, state: "unknown", detail: { reason: String(error) } }, stops: true };
  }
  const detail = failureDetail(error);
  if (error.outcome === "unknown") return { result: { number, state: "unknown", detail }, stops: false };
  if (error.kind === "network") return { result: { number, state: "planned" }, stops: false };
  if (error.kind === "api" && work.rejects(item, error)) {
    return { result: { number, state: "rejected", outcome: "failed", detail }, stops: false };
  }
  return { result: { number, state: "planned" }, stops: true };
}

/** What a journal keeps of a failure, for the report. */
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
