import * as z from "zod";
import { type Operation, parsePathParameters } from "../contract/operation.js";

/** A tool's arguments contain the parts of a request in one flat object. */
export interface RequestParts {
  path: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** A problem found before a request is sent, in the format of an API error's details. */
export interface ArgumentProblem {
  type: "missing" | "unknown";
  path: string[];
  message: string;
}

/**
 * If the operation has a body, unknown arguments become part of the body, so that the service refuses them by
 * name.
 */
export function requestParts(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): { parts: RequestParts; problems: ArgumentProblem[] } {
  const problems: ArgumentProblem[] = [];
  const path: Record<string, string> = {};
  for (const name of parsePathParameters(operation.path)) {
    if (given[name] === undefined) problems.push({ type: "missing", path: [name], message: "is required" });
    else path[name] = textOf(given[name]);
  }
  const queryNames = fieldNames(operation.query);
  const query: Record<string, string> = {};
  const bodyFields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(path, name)) continue;
    if (queryNames.has(name)) query[name] = textOf(value);
    else if (operation.body) bodyFields[name] = value;
    else problems.push({ type: "unknown", path: [name], message: "is not an accepted field" });
  }
  return { parts: { path, query, body: operation.body ? bodyFields : undefined }, problems };
}

/** An object becomes JSON, which the service refuses. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function fieldNames(schema: Operation["query"]): ReadonlySet<string> {
  return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
}
