import { type ApiName, apis } from "../contract/apis.js";
import type { Bucket } from "../contract/limits.js";
import { wireOperations } from "../contract/wire.js";
import type { Method, ResponseShape, WireOperation } from "../contract/wire-operation.js";
import { fillPath } from "./addresses.js";
import type { CallInput, RawRequest } from "./types.js";

export interface Route {
  api: ApiName;
  method: Method;
  path: string;
  /** Undefined for a raw request, because its response can have any shape. */
  responseShape: ResponseShape | undefined;
  /** Null if requests are not rate-limited. */
  bucket: Bucket | null;
  mutation: boolean;
  /** Whether the request triggers a call (public.limits.1). */
  triggersCall: boolean;
}

/** @throws TypeError if the contract has no such operation */
export function findOperation(name: string): WireOperation {
  const operation = Object.hasOwn(wireOperations, name) ? wireOperations[name] : undefined;
  if (!operation) throw new TypeError(`no operation ${name}`);
  return operation;
}

/** @throws ClientError `configuration` if a path parameter is missing */
export function buildOperationRoute(
  name: string,
  input: CallInput,
  paths: Readonly<Record<string, string>> = {},
): Route {
  const operation = findOperation(name);
  const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
  return buildRoute(operation, fillPath(path ?? operation.path, input.path));
}

function buildRoute(operation: WireOperation, path: string): Route {
  const { api, method, responseShape, bucket } = operation;
  const mutation = method !== "GET";
  const triggersCall = bucket === "outbound_trigger" || (api === "legacy" && mutation);
  return { api, method, path, responseShape, bucket, mutation, triggersCall };
}

/** If an operation has this path, the route has that operation's bucket. */
export function buildRawRoute({ api, method, rawPath, path }: RawRequest): Route {
  const filled = fillPath(rawPath, path);
  const [plain = ""] = filled.split("?");
  for (const operation of Object.values(wireOperations)) {
    if (operation.api === api && operation.method === method && matches(operation.path, plain)) {
      return { ...buildRoute(operation, filled), responseShape: undefined };
    }
  }
  const mutation = method !== "GET";
  // public.limits.read, .write
  const bucket = apis[api].bucket ?? (mutation ? "write" : "read");
  return { api, method, path: filled, responseShape: undefined, bucket, mutation, triggersCall: false };
}

function matches(template: string, path: string): boolean {
  const templateSegments = template.split("/");
  const given = `/${path.replace(/^\/+/, "")}`.split("/");
  return (
    templateSegments.length === given.length &&
    templateSegments.every((part, index) => part.startsWith("{") || part === given[index])
  );
}
