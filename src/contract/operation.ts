import type * as z from "zod";
import { type Api, apis } from "./apis.js";
import type { Bucket } from "./limits.js";
import type { Method, WireOperation } from "./wire-operation.js";

/** Type checking is faster with zod's core type. */
export type Schema = z.core.$ZodType;

export interface Operation extends Omit<WireOperation, "resource"> {
  /** A short sentence in the imperative. */
  readonly summary: string;
  readonly about?: string;
  /** Schemas of path parameters whose values are not `ObjectId`s. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Schema of the response without its envelope; for a list, of one item. */
  readonly response?: Schema;
  readonly success: 200 | 201;
  /** Error statuses, in addition to the common errors of the API. */
  readonly errors: readonly number[];
  /** Required permission, such as `contacts:read`; null if no permission is required. */
  readonly permission: string | null;
  /** Required feature of the organization, in addition to the API's own feature. */
  readonly feature: string | null;
}

export type Operations = Readonly<Record<string, Operation>>;

interface ResourceDefaults {
  readonly api: Operation["api"];
  /**
   * First part of the required permission: `contacts` for `contacts:read`. Null if no permission is required.
   */
  readonly area: string | null;
  readonly feature?: string;
  readonly about?: string;
  readonly pathAssumed?: string;
}

type Derived = "api" | "success" | "bucket" | "permission" | "feature" | "errors";

interface WrittenOperation extends Omit<Operation, Derived>, Partial<Pick<Operation, Derived>> {
  /** Error statuses in addition to those that follow from the path and the input. */
  readonly errors?: readonly number[];
}

/** Keeps literal types, so that the compiler can check handlers and commands. */
type Completed<T> = { readonly [Name in keyof T]: T[Name] & Pick<Operation, Derived> };

export function defineOperations<const T extends Readonly<Record<string, WrittenOperation>>>(
  defaults: ResourceDefaults,
  written: T,
): Completed<T> {
  const completed: Record<string, Operation> = {};
  for (const [name, operation] of Object.entries<WrittenOperation>(written))
    completed[name] = completeOperation(defaults, operation);
  // The cast is safe, because only derived fields were added.
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
  // Copy the getters without calling them, because a call would create schemas that might not be needed.
  return Object.defineProperties(completed, {
    ...Object.getOwnPropertyDescriptors(written),
    errors: { value: errors, enumerable: true },
  }) as Operation;
}

/** public.limits.read, .write; dist.limits.1 */
function chooseBucket(api: Api, method: Method): Bucket {
  return api.bucket ?? (method === "GET" ? "read" : "write"); // public.limits.write
}

/** With a query or body: 400. With an ID in the path: 400 (D-path-id) and 404. */
function listUsualErrors(written: WrittenOperation): number[] {
  if (written.path.includes("{")) return [400, 404];
  return "query" in written || "body" in written ? [400] : [];
}

export function parsePathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
