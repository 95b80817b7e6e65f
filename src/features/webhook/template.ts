import { stringifyExactJson } from "../../base/exact-json.js";
import { mapInner } from "../../base/fields.js";
import { parseExactJsonSafely } from "../../base/json.js";
import { findHeader, type Received } from "./exchange.js";

export interface Subject {
  request: Received;
  /** Undefined if the body is not JSON. */
  body: unknown;
  path: string;
  query: URLSearchParams;
  /** ISO 8601. */
  now: string;
  uuid: () => string;
  /** Counted from 1. */
  sequence: number;
}

/** Never throws: a path that can't be parsed is used unchanged. */
export function createSubject(
  request: Received,
  { sequence, uuid }: { sequence: number; uuid: () => string },
): Subject {
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  return {
    request,
    body: parseExactJsonSafely(request.body.toString("utf8")),
    path,
    query: new URLSearchParams(query),
    now: request.at,
    uuid,
    sequence,
  };
}

/**
 * Returns the value of a name such as `body.from`, `header.X-Site`, `query.v`, `path`, `method`, `now`,
 * `uuid` or `seq`.
 */
export function findValue(name: string, subject: Subject): unknown {
  const [first, tail = ""] = name.split(/\.(.*)/s);
  switch (first) {
    case "body":
      return tail === "" ? subject.body : getAtPath(subject.body, tail.split("."));
    case "header":
      return findHeader(subject.request.headers, tail);
    case "query":
      return subject.query.get(tail) ?? undefined;
    case "path":
      return subject.path;
    case "method":
      return subject.request.method;
    case "now":
      return subject.now;
    case "uuid":
      return subject.uuid();
    case "seq":
      return subject.sequence;
    default:
      return undefined;
  }
}

function getAtPath(value: unknown, [part, ...tail]: readonly string[]): unknown {
  if (part === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
  return getAtPath(Reflect.get(value, part), tail);
}

/**
 * If a string contains only a template, the result keeps the type of the template's value.
 * @param unknown called for each template without a value
 */
export function fillTemplates(value: unknown, subject: Subject, unknown: (name: string) => void): unknown {
  if (typeof value === "string") return fillText(value, subject, unknown);
  return mapInner(value, (inner) => fillTemplates(inner, subject, unknown));
}

function fillText(text: string, subject: Subject, unknown: (name: string) => void): unknown {
  const meaningOf = (name: string) => {
    const value = findValue(name, subject);
    if (value === undefined) unknown(name);
    return value ?? null;
  };
  const whole = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(text);
  if (whole?.[1] !== undefined) return meaningOf(whole[1]);
  return text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, name: string) => {
    const value = meaningOf(name);
    return value === null ? "" : typeof value === "string" ? value : stringifyExactJson(value);
  });
}
