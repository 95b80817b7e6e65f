import { surfaces } from "../../contract/surfaces.js";
import { pathOf } from "../paths.js";
import type { Routes } from "../routes.js";
import { catalogue } from "./catalogue.js";
import { evidence, refusing, type Seen } from "./evidence.js";

/** What the requests of a log say of one rule. */
export interface RuleCoverage {
  rule: string;
  /** `untold`: requests alone don't show it. */
  state: "met" | "unmet" | "untold";
  /** How many requests exercised it. */
  requests: number;
  text: string;
}

/** A row of the request log. */
export interface LoggedRequest {
  method: string;
  path: string;
  status: number;
  rule: string | null;
  request_body: string | null;
  response_body: string | null;
}

/**
 * Which rules these requests have exercised: by being refused by them, or by doing what they are about. The
 * emulator's own promises are left out: they are no matter of requests.
 */
export function coverageOf(requests: Iterable<LoggedRequest>, routes: Routes): RuleCoverage[] {
  const counts = new Map<string, number>();
  const count = (rule: string) => counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const judged = Object.entries(evidence);
  for (const request of requests) {
    const seen = seenOf(request, routes);
    for (const [rule, isMet] of judged) if (seen.rule !== rule && isMet(seen)) count(rule);
    if (seen.rule !== null) count(seen.rule);
  }
  return [...catalogue.values()]
    .filter(({ kind }) => kind !== "promise")
    .map(({ id, text }) => {
      const requests = counts.get(id) ?? 0;
      const isTold = refusing.has(id) || Object.hasOwn(evidence, id);
      return { rule: id, state: requests > 0 ? "met" : isTold ? "unmet" : "untold", requests, text };
    });
}

function seenOf(request: LoggedRequest, routes: Routes): Seen {
  const path = pathOf(request.path);
  const route = routes.identify(request.method, path);
  return {
    operation: route?.name,
    surface: route?.surface ?? surfaceOf(path),
    method: request.method,
    status: request.status,
    rule: request.rule,
    query: new URLSearchParams(request.path.slice(path.length)),
    request: parsed(request.request_body),
    response: parsed(request.response_body),
  };
}

/** The surface under whose base address an unknown path lies. */
function surfaceOf(path: string): Seen["surface"] {
  return Object.values(surfaces).find(({ basePath }) => basePath !== "" && path.startsWith(`${basePath}/`))
    ?.name;
}

function parsed(body: string | null): unknown {
  if (body === null) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // Cut because of its length, or never JSON.
    return undefined;
  }
}
