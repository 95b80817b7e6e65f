import type { Operation } from "../contract/operation.js";
import { isObjectId, ObjectId } from "../contract/primitives.js";
import { decodedSegment } from "./paths.js";
import type { AnswerPolicy } from "./policy.js";
import type { RequestRecord } from "./records.js";
import { parseWith, queryValues } from "./validation.js";

/** D-body */
export const maximumBodyBytes = 1_048_576;

/** D-nesting. What is nested far deeper can be read but not written again: JSON.stringify goes down level by level. */
const maximumNesting = 500;

/** The part of a route that reading a request needs. */
interface Route {
  readonly operation: Pick<Operation, "parameters" | "query" | "body">;
  readonly policy: AnswerPolicy;
}

/** The parsed parts of a request. */
export interface Input {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
}

/**
 * The parsed input of a request by its operation's schemas: path, then query, then body (D-order).
 * @throws Refusal for what does not parse
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
    const value = decodedSegment(encoded);
    const form = route.operation.parameters?.[name] ?? route.policy.parameter ?? ObjectId;
    parsed[name] = value;
    // The usual case, without all that a schema does.
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
  const query = mark < 0 ? {} : queryValues(operation.query, target.slice(mark + 1));
  const result = parseWith(operation.query, query, policy.words);
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
  if (!isMissing && !policy.anySize && lengthOf(body) > maximumBodyBytes)
    throw refuse("the body must be at most 1 MiB");
  const value = isMissing ? {} : parsedJson(body);
  if (value === undefined) throw refuse("the body is no JSON");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse("the body must be a JSON object");
  // Each level takes two signs at least.
  const mayBeDeep = !isMissing && body.length > 2 * maximumNesting;
  if (mayBeDeep && !isNestedWithin(value, maximumNesting))
    throw refuse(`the body must be nested at most ${maximumNesting} levels deep`, "D-nesting");
  const result = parseWith(operation.body, value, policy.words); // D-strict
  if (!result.ok) throw policy.invalid("body", result.problems.rule, result.problems.details);
  return result.value;
}

function isJson(type: string | undefined): boolean {
  const json = "application/json";
  return type === json || type?.split(";")[0]?.trim().toLowerCase() === json;
}

/** Bytes, as they were sent. */
export function lengthOf(body: Uint8Array | string): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.length;
}

/** Made once: making one takes as long as it takes for a body. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The value that a body says; undefined where it is no JSON, or no UTF-8. */
export function parsedJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Does a value hold at most so many levels of objects and arrays, itself the first? */
export function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  const all: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const inner of all) if (typeof inner === "object" && !isNestedWithin(inner, levels - 1)) return false;
  return true;
}
