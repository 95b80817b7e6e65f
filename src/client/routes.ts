import type { Bucket } from "../contract/limits.js";
import { type SurfaceName, surfaces } from "../contract/surfaces.js";
import { wireOperations } from "../contract/wire.js";
import type { AnswerKind, Method, WireOperation } from "../contract/wire-operation.js";
import { fillPath } from "./addresses.js";
import type { CallInput, RawRequest } from "./types.js";

/** Where a request goes and how it counts. */
export interface Route {
  surface: SurfaceName;
  method: Method;
  /** Relative to the base address, parameters filled in. */
  path: string;
  /** Undefined for a path that the contract does not know. */
  answer: AnswerKind | undefined;
  /** Null where nothing is counted. */
  bucket: Bucket | null;
  mutation: boolean;
  /** It triggers a call (public.limits.1). */
  triggersCall: boolean;
}

/** The operation of this name. @throws TypeError when the contract has none */
export function operationOf(name: string): WireOperation {
  const operation = Object.hasOwn(wireOperations, name) ? wireOperations[name] : undefined;
  if (!operation) throw new TypeError(`no operation ${name}`);
  return operation;
}

/** @throws ClientError `configuration` when a path parameter is missing */
export function operationRoute(
  name: string,
  input: CallInput,
  paths: Readonly<Record<string, string>> = {},
): Route {
  const operation = operationOf(name);
  const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
  return routeOf(operation, fillPath(path ?? operation.path, input.path));
}

function routeOf(operation: WireOperation, path: string): Route {
  const { surface, method, answer, bucket } = operation;
  const mutation = method !== "GET";
  const triggersCall = bucket === "outbound_trigger" || (surface === "legacy" && mutation);
  return { surface, method, path, answer, bucket, mutation, triggersCall };
}

/** The route of any path; one of the contract's counts as its operation does. */
export function rawRoute({ surface, method, rawPath, path }: RawRequest): Route {
  const filled = fillPath(rawPath, path);
  const [plain = ""] = filled.split("?");
  for (const operation of Object.values(wireOperations)) {
    if (operation.surface === surface && operation.method === method && matches(operation.path, plain)) {
      return { ...routeOf(operation, filled), answer: undefined };
    }
  }
  const mutation = method !== "GET";
  // public.limits.read, .write
  const bucket = surfaces[surface].bucket ?? (mutation ? "write" : "read");
  return { surface, method, path: filled, answer: undefined, bucket, mutation, triggersCall: false };
}

function matches(template: string, path: string): boolean {
  const wanted = template.split("/");
  const given = `/${path.replace(/^\/+/, "")}`.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith("{") || part === given[index])
  );
}
