import { jsonOf } from "../../../base/json.js";
import { headerOf, type Received } from "./exchange.js";

/** The parts of a request that a rule and its templates see. */
export interface Subject {
  request: Received;
  /** The body's JSON; undefined where it is not JSON. */
  body: unknown;
  path: string;
  query: URLSearchParams;
  /** ISO 8601. */
  now: string;
  uuid: () => string;
  /** How many requests there were, this one counted. */
  sequence: number;
}

/** @throws nothing: a path that is no URL's is taken as it is */
export function subjectOf(
  request: Received,
  { sequence, uuid }: { sequence: number; uuid: () => string },
): Subject {
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  return {
    request,
    body: jsonOf(request.body.toString("utf8")),
    path,
    query: new URLSearchParams(query),
    now: request.at,
    uuid,
    sequence,
  };
}

/** The value of a name: `body.from`, `header.X-Site`, `query.v`, `path`, `method`, `now`, `uuid`, `seq`. */
export function lookUp(name: string, subject: Subject): unknown {
  const [first, rest = ""] = name.split(/\.(.*)/s);
  switch (first) {
    case "body":
      return rest === "" ? subject.body : inside(subject.body, rest.split("."));
    case "header":
      return headerOf(subject.request.headers, rest);
    case "query":
      return subject.query.get(rest) ?? undefined;
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

function inside(value: unknown, [part, ...rest]: readonly string[]): unknown {
  if (part === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
  return inside(Reflect.get(value, part), rest);
}

/**
 * The same value with `{{NAME}}` in its texts filled in. One that is a whole text keeps the type of what it stands for.
 * @param unknown told of each name that stands for nothing: it becomes null, or nothing inside a text
 */
export function filled(value: unknown, subject: Subject, unknown: (name: string) => void): unknown {
  if (typeof value === "string") return filledText(value, subject, unknown);
  if (Array.isArray(value)) return value.map((entry) => filled(entry, subject, unknown));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, filled(entry, subject, unknown)]),
  );
}

function filledText(text: string, subject: Subject, unknown: (name: string) => void): unknown {
  const meaningOf = (name: string) => {
    const value = lookUp(name, subject);
    if (value === undefined) unknown(name);
    return value ?? null;
  };
  const whole = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(text);
  if (whole?.[1] !== undefined) return meaningOf(whole[1]);
  return text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, name: string) => {
    const value = meaningOf(name);
    return value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  });
}
