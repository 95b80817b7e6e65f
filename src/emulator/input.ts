import { findExactNumber } from "../base/exact-json.js";
import { parseExactJsonSafely, parseJsonSafely } from "../base/json.js";
import { findExcess, type StructureBounds } from "../base/json-structure.js";
import type { Operation } from "../contract/operation.js";
import { isObjectId, ObjectId } from "../contract/primitives.js";
import { decodeSegment } from "./paths.js";
import type { ResponsePolicy } from "./policy.js";
import type { RequestRecord } from "./records.js";
import { parseQuery, parseWith } from "./validation.js";

/** D-body */
export const maximumBodyBytes = 1_048_576;

/**
 * Limits for a body. Too many values would delay other requests (D-values). `JSON.stringify` is recursive, so
 * it fails for a body that is nested too deeply (D-nesting).
 */
export const bodyBounds: StructureBounds = { values: 5_000, nesting: 500 };

interface Route {
  readonly operation: Pick<Operation, "parameters" | "query" | "body"> & { readonly keepsDigits?: true };
  readonly policy: ResponsePolicy;
}

export interface Input {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
}

/**
 * Parses a request's path, query and body, in this order, with its operation's schemas (D-order).
 * @throws Refusal for invalid input
 */
export function readInput(route: Route, parameters: Record<string, string>, request: RequestRecord): Input {
  return {
    path: readPath(route, parameters),
    query: readQuery(route, request.target),
    body: readBody(route, request),
  };
}

function readPath(route: Route, parameters: Record<string, string>): Record<string, string> {
  const parsed: Record<string, string> = {};
  for (const [name, encoded] of Object.entries(parameters)) {
    const value = decodeSegment(encoded);
    const form = route.operation.parameters?.[name] ?? route.policy.parameter ?? ObjectId;
    parsed[name] = value;
    // Most values are valid IDs, and this check is faster than the schema.
    if (form === ObjectId && isObjectId(value)) continue;
    const result = parseWith(form, value);
    if (!result.ok) {
      const details = result.problems.details.map((detail) => ({ ...detail, path: [name] }));
      throw route.policy.invalid("path", result.problems.rule, details); // D-path-id
    }
  }
  return parsed;
}

function readQuery({ operation, policy }: Route, target: string): unknown {
  if (!operation.query) return {};
  const mark = target.indexOf("?");
  const query = mark < 0 ? {} : parseQuery(operation.query, target.slice(mark + 1));
  const result = parseWith(operation.query, query, policy.describeIssue);
  if (!result.ok) throw policy.invalid("query", result.problems.rule, result.problems.details);
  return result.value;
}

function readBody({ operation, policy }: Route, request: RequestRecord): unknown {
  if (!operation.body) return {};
  const refuse = (message: string, rule = "D-body") => policy.invalid("body", rule, [{ path: [], message }]);
  const { body } = request;
  const isMissing = body === undefined || body.length === 0;
  if (!isJson(request.headers["content-type"]) && !policy.anyMediaType)
    throw refuse("send the body as application/json");
  if (isMissing && !policy.anyMediaType) throw refuse("a JSON object is required as the body");
  if (!isMissing && !policy.anySize && countBytes(body) > maximumBodyBytes)
    throw refuse("the body must be at most 1 MiB");
  const text = isMissing ? "{}" : decodeText(body);
  const most = policy.anySize ? { ...bodyBounds, values: Number.POSITIVE_INFINITY } : bodyBounds;
  const excess = text === undefined ? undefined : findExcess(text, most);
  if (excess === "values") throw refuse("the body must have at most 5,000 values", "D-values");
  if (excess === "nesting")
    throw refuse(`the body must be nested at most ${bodyBounds.nesting} levels deep`, "D-nesting");
  const parse = operation.keepsDigits ? parseExactJsonSafely : parseJsonSafely;
  const value = text === undefined ? undefined : parse(text);
  if (value === undefined) throw refuse("the body is not valid JSON");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse("the body must be a JSON object");
  const result = parseWith(operation.body, value, policy.describeIssue); // D-strict
  if (!result.ok) throw policy.invalid("body", result.problems.rule, result.problems.details);
  // Refuse the number, because the emulator would store a different one.
  const path = operation.keepsDigits ? undefined : findExactNumber(text ?? "");
  if (path !== undefined)
    throw policy.invalid("body", "D-body", [{ path, message: "has too many digits for the emulator" }]);
  return result.value;
}

function isJson(type: string | undefined): boolean {
  const json = "application/json";
  return type === json || type?.split(";")[0]?.trim().toLowerCase() === json;
}

export function countBytes(body: Uint8Array | string): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

/** All requests share this decoder, because creating a decoder takes as long as decoding a body. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function decodeText(body: Uint8Array | string): string | undefined {
  if (typeof body === "string") return body;
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** Returns the parsed body; undefined if it is not JSON in UTF-8. */
export function parseJsonBody(body: Uint8Array | string): unknown {
  const text = decodeText(body);
  return text === undefined ? undefined : parseJsonSafely(text);
}
