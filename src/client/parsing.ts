import { ExactNumber, parseExactJson } from "../base/exact-json.js";
import type { ApiName } from "../contract/apis.js";
import { type ErrorCode, errorCodes } from "../contract/errors.js";
import type { ResponseShape } from "../contract/wire-operation.js";
import type { ErrorDetail } from "./errors.js";

/** The content of an error's body; missing fields, and those of another shape, are left out. */
export interface ErrorBody {
  code: string | undefined;
  message: string | undefined;
  details: ErrorDetail[];
}

/** A text's JSON value, numbers by all their digits (T9), or undefined where it is not JSON (no JSON text means undefined). */
export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads an error's body in any of the three shapes: nested, flat with `errorCode`, flat with `code`. v2's and the
 * legacy interface's are decisions (D-v2-envelope, D-legacy-error), so a deployment may have another.
 */
export function parseErrorBody(text: string): ErrorBody {
  const body = parseJson(text);
  if (!isRecord(body)) return { code: undefined, message: undefined, details: [] };
  const nested = isRecord(body["error"]) ? body["error"] : {};
  return {
    code: findFirstText(nested["code"], body["errorCode"], body["code"]),
    message: findFirstText(nested["message"], body["message"], body["error"]),
    details: parseDetails(nested["details"] ?? body["details"]),
  };
}

// public.errors.1
function parseDetails(value: unknown): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  const details: ErrorDetail[] = [];
  for (const entry of value) {
    if (!isRecord(entry)) continue;
    const path = Array.isArray(entry["path"]) ? entry["path"] : [];
    details.push({
      path: path.filter((step) => typeof step === "string" || typeof step === "number"),
      message: typeof entry["message"] === "string" ? entry["message"] : "",
    });
  }
  return details;
}

/** The meaning of a refusal: by the surface's table, an unknown code by its status. */
export function findErrorMeaning(api: ApiName, code: string | undefined, status: number): ErrorCode {
  const table = errorCodes[api];
  const known = code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
  if (known?.status === status) return known;
  const later = status === 429;
  return { status, retryRead: later || status === 500 || isOutage(status), retryMutation: later };
}

/**
 * T15: a status of what stands before the service, or of a service that did not get to its work. It rejects nothing: of
 * a mutation's outcome is unknown.
 */
export function isOutage(status: number): boolean {
  return [408, 425, 502, 503, 504].includes(status);
}

/** A success body without its envelope; as it is where there is none. */
export function unwrap(body: unknown, responseShape: ResponseShape | undefined): unknown {
  if (responseShape === "bare" || !isRecord(body)) return body;
  return Object.hasOwn(body, "data") ? body["data"] : body;
}

/** A JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

function findFirstText(...values: unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return undefined;
}
