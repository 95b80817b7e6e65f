import * as z from "zod";
import { type Operation, parsePathParameters } from "../contract/operation.js";

/** The parts of a request that a tool's flat arguments stand for. */
export interface RequestParts {
  path: Record<string, string>;
  query: Record<string, string>;
  /** Undefined if the operation has no body. */
  body: Record<string, unknown> | undefined;
}

/** Problems of the arguments before any schema is asked, as in an error's details. */
export interface ArgumentProblem {
  type: "missing" | "unknown";
  path: string[];
  message: string;
}

/**
 * Sorts a tool's arguments into path, query and body. Values stay for the service to judge; what no field of path and
 * query is, goes into the body, where the service refuses it by name.
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

/** Returns a value as text for a URL. The JSON of an object is refused by the service. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function fieldNames(schema: Operation["query"]): ReadonlySet<string> {
  return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
}
