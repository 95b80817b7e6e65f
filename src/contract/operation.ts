import type * as z from "zod";
import { type Api, apis } from "./apis.js";
import type { Bucket } from "./limits.js";
import type { Method, WireOperation } from "./wire-operation.js";

/** Any schema; the core type keeps checking fast. */
export type Schema = z.core.$ZodType;

/** One operation of the service, as data; routes, clients and descriptions derive from it. */
export interface Operation extends Omit<WireOperation, "resource"> {
  /** The summary: one line, imperative. */
  readonly summary: string;
  /** Schema of the path parameters, if they are not the API's usual id. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The value in the envelope; for a page or list, one of its items. */
  readonly response?: Schema;
  readonly success: 200 | 201;
  /** Error statuses in addition to those that every operation of the API may return. */
  readonly errors: readonly number[];
  /** `area:action`; null if any key is allowed. */
  readonly permission: string | null;
  /** The feature that the organization needs, in addition to the API's own. */
  readonly feature: string | null;
}

/** A resource's operations by name: `contacts.create`. */
export type Operations = Readonly<Record<string, Operation>>;

/** The common properties of a resource's operations. */
interface ResourceDefaults {
  readonly api: Operation["api"];
  /** The area of its permission, such as `contacts` of `contacts:read`. Null if any key is allowed. */
  readonly area: string | null;
  readonly feature?: string;
  /** The decision that defines the paths of all its operations. */
  readonly pathAssumed?: string;
}

/** Defaults that follow from an operation's method, its API and its resource. */
type Derived = "api" | "success" | "bucket" | "permission" | "feature" | "errors";

/** An operation in a resource's table, which contains only the fields that differ from the defaults. */
interface WrittenOperation extends Omit<Operation, Derived>, Partial<Pick<Operation, Derived>> {
  /** Statuses in addition to the defaults: 400 for input, 404 for an id in the path. */
  readonly errors?: readonly number[];
}

/** Keeps literal types, which handlers and commands are checked against. */
type Completed<T> = { readonly [Name in keyof T]: T[Name] & Pick<Operation, Derived> };

/** Completes a resource's table with the defaults. */
export function defineOperations<const T extends Readonly<Record<string, WrittenOperation>>>(
  defaults: ResourceDefaults,
  written: T,
): Completed<T> {
  const completed: Record<string, Operation> = {};
  for (const [name, operation] of Object.entries<WrittenOperation>(written))
    completed[name] = completeOperation(defaults, operation);
  // Each entry is unchanged except for the derived fields.
  return completed as Completed<T>;
}

const actions: Readonly<Record<Method, "read" | "write" | "delete">> = {
  GET: "read",
  POST: "write",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete", // D-roles
};

function completeOperation({ area, ...defaults }: ResourceDefaults, written: WrittenOperation): Operation {
  const { method, keyless } = written;
  const api = apis[defaults.api];
  const completed = {
    success: method === "POST" ? api.created : 200,
    bucket: keyless ? null : chooseBucket(api, method),
    permission: keyless || area === null ? null : `${area}:${actions[method]}`,
    feature: null,
    ...defaults,
  };
  const errors = [...new Set([...listUsualErrors(written), ...(written.errors ?? [])])].sort();
  // Assigned instead of spread, to keep getters that create schemas on demand.
  return Object.defineProperties(completed, {
    ...Object.getOwnPropertyDescriptors(written),
    errors: { value: errors, enumerable: true },
  }) as Operation;
}

/** public.limits.read, .write; dist.limits.1 */
function chooseBucket(api: Api, method: Method): Bucket {
  return api.bucket ?? (method === "GET" ? "read" : "write"); // public.limits.write
}

/**
 * Public API, "Endpoints": an operation with a query or a body may return 400; one with an id in its path may return 400
 * (D-path-id) and 404.
 */
function listUsualErrors(written: WrittenOperation): number[] {
  if (written.path.includes("{")) return [400, 404];
  return "query" in written || "body" in written ? [400] : [];
}

/** Returns the names in a path's braces, in order. */
export function parsePathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
