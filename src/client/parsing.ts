import { parseExactJson } from "../base/exact-json.js";
import { isFields } from "../base/fields.js";
import type { ApiName } from "../contract/apis.js";
import { type ErrorCode, errorCodes } from "../contract/errors.js";
import type { ResponseShape } from "../contract/wire-operation.js";
import type { ErrorDetail } from "./errors.js";

export interface ErrorBody {
  code: string | undefined;
  message: string | undefined;
  details: ErrorDetail[];
}

/** Parses JSON without losing digits of numbers. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads an error's body in any of three forms: nested, flat with `errorCode`, or flat with `code`. Accepts
 * all forms from every API, because the forms of some APIs are only assumed (D-v2-envelope, D-legacy-error).
 */
export function parseErrorBody(text: string): ErrorBody {
  const body = parseJson(text);
  if (!isFields(body)) return { code: undefined, message: undefined, details: [] };
  const nested = isFields(body["error"]) ? body["error"] : {};
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
    if (!isFields(entry)) continue;
    const path = Array.isArray(entry["path"]) ? entry["path"] : [];
    details.push({
      path: path.filter((step) => typeof step === "string" || typeof step === "number"),
      message: typeof entry["message"] === "string" ? entry["message"] : "",
    });
  }
  return details;
}

/** For an unknown code, the status decides. */
export function findErrorMeaning(api: ApiName, code: string | undefined, status: number): ErrorCode {
  const table = errorCodes[api];
  const known = code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
  if (known?.status === status) return known;
  const later = status === 429;
  return { status, retryRead: later || status === 500 || isOutage(status), retryMutation: later };
}

/** Returns whether a status comes from a gateway, or means that the request might not have been processed. */
export function isOutage(status: number): boolean {
  return [408, 425, 502, 503, 504].includes(status);
}

export function unwrap(body: unknown, responseShape: ResponseShape | undefined): unknown {
  if (responseShape === "bare" || !isFields(body)) return body;
  return Object.hasOwn(body, "data") ? body["data"] : body;
}

function findFirstText(...values: unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return undefined;
}
