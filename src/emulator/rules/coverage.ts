import { apis } from "../../contract/apis.js";
import { mcpPath, stripQuery } from "../paths.js";
import type { Routes } from "../routes.js";
import { catalog } from "./catalog.js";
import type { Seen } from "./evidence.js";
import { findToolCalls, type Tools } from "./tool-calls.js";

export interface RuleCoverage {
  rule: string;
  state: "met" | "unmet" | "unobservable";
  requests: number;
  text: string;
}

export interface LoggedRequest {
  method: string;
  path: string;
  status: number;
  rule: string | null;
  request_body: string | null;
  response_body: string | null;
}

/** Omits the emulator's own guarantees, because they don't depend on requests. */
export function computeCoverage(
  requests: Iterable<LoggedRequest>,
  routes: Routes,
  tools: Tools,
): RuleCoverage[] {
  const counts = new Map<string, number>();
  const judged = [...catalog.values()].filter(({ seen }) => seen !== undefined);
  for (const request of requests) {
    // Count an MCP request only once for each API rule, even if it calls several tools.
    const met = new Set(request.rule === null ? [] : [request.rule]);
    for (const seen of listSeen(request, routes, tools)) {
      for (const { id, seen: isMet } of judged) if (isMet?.(seen)) met.add(id);
    }
    for (const rule of met) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...catalog.values()]
    .filter(({ kind }) => kind !== "promise")
    .map(({ id, text, namedBy, seen }) => {
      const requests = counts.get(id) ?? 0;
      const isObservable = namedBy.includes(id) || seen !== undefined;
      return {
        rule: id,
        state: requests > 0 ? "met" : isObservable ? "unmet" : "unobservable",
        requests,
        text,
      };
    });
}

function listSeen(request: LoggedRequest, routes: Routes, tools: Tools): Seen[] {
  const path = stripQuery(request.path);
  const [requestBody, responseBody] = [parsed(request.request_body), parsed(request.response_body)];
  if (path === mcpPath) return findToolCalls(requestBody, responseBody, request, tools);
  const route = routes.identify(request.method, path);
  const seen = {
    operation: route?.name,
    api: route?.api ?? findApiName(path),
    method: request.method,
    status: request.status,
    rule: request.rule,
    tool: undefined,
    query: new URLSearchParams(request.path.slice(path.length)),
    request: requestBody,
    response: responseBody,
  };
  return [seen];
}

function findApiName(path: string): Seen["api"] {
  return Object.values(apis).find(({ basePath }) => basePath !== "" && path.startsWith(`${basePath}/`))?.name;
}

function parsed(body: string | null): unknown {
  if (body === null) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // The logged body is not JSON or was truncated.
    return undefined;
  }
}
