import type * as z from "zod";
import { type Api, apis } from "./apis.js";
import type { Bucket } from "./limits.js";
import type { Method, WireOperation } from "./wire-operation.js";

/** Any schema. Using zod's core type keeps type checking fast. */
export type Schema = z.core.$ZodType;

/** Describes an operation of the service. Routes, clients and descriptions are derived from it. */
export interface Operation extends Omit<WireOperation, "resource"> {
  /** One line in the imperative. */
  readonly summary: string;
  /** Description of the operation's tag in the OpenAPI document. */
  readonly about?: string;
  /** Schemas of path parameters that are not usual IDs of the API. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Schema of the value in the envelope; for a page or list, of one item. */
  readonly response?: Schema;
  readonly success: 200 | 201;
  /** Error statuses besides those that every operation of the API may return. */
  readonly errors: readonly number[];
  /** Required permission, as `area:action`; null if any key is allowed. */
  readonly permission: string | null;
  /** Feature that the organization needs in addition to the API's own feature. */
  readonly feature: string | null;
}

/** A resource's operations by name, such as `contacts.create`. */
export type Operations = Readonly<Record<string, Operation>>;

/** Properties that all operations of a resource share. */
interface ResourceDefaults {
  readonly api: Operation["api"];
  /** Area of the required permission: `contacts` for `contacts:read`. Null if any key is allowed. */
  readonly area: string | null;
  readonly feature?: string;
  readonly about?: string;
  /** The decision that defines the paths of all of the resource's operations. */
  readonly pathAssumed?: string;
}

/** Fields whose defaults depend on the method, API and resource. */
type Derived = "api" | "success" | "bucket" | "permission" | "feature" | "errors";

/** An operation as written in a resource's table: only the fields that differ from the defaults. */
interface WrittenOperation extends Omit<Operation, Derived>, Partial<Pick<Operation, Derived>> {
  /** Error statuses in addition to the defaults: 400 if there is input, and 404 if the path has an ID. */
  readonly errors?: readonly number[];
}

/** Keeps literal types, so that the compiler can check handlers and commands. */
type Completed<T> = { readonly [Name in keyof T]: T[Name] & Pick<Operation, Derived> };

/** Adds the defaults to a resource's table. */
export function defineOperations<const T extends Readonly<Record<string, WrittenOperation>>>(
  defaults: ResourceDefaults,
  written: T,
): Completed<T> {
  const completed: Record<string, Operation> = {};
  for (const [name, operation] of Object.entries<WrittenOperation>(written))
    completed[name] = completeOperation(defaults, operation);
  // The cast is safe: only the derived fields were added.
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
  // Copy property descriptors instead of values, to keep getters that create schemas on demand.
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
 * Operations with a query or body may return 400. Operations with an ID in the path may return 404, and 400 as well (D-path-id). Source:
 * Public API, "Endpoints".
 */
function listUsualErrors(written: WrittenOperation): number[] {
  if (written.path.includes("{")) return [400, 404];
  return "query" in written || "body" in written ? [400] : [];
}

/** Returns the names in a path's braces, in order. */
export function parsePathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
