import type * as z from "zod";
import type { WireOperation } from "./wire-operation.js";

/** Any schema; the core type keeps checking fast. */
export type Schema = z.core.$ZodType;

/** One operation of the service, as data. Everything mechanical is derived from this. */
export interface Operation extends Omit<WireOperation, "resource"> {
  /** One line, as a person would say it. */
  readonly summary: string;
  /** Schema of the path parameters that are not the surface's usual id. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The object in the envelope; of a page or list, one of its items. */
  readonly response?: Schema;
  readonly success: 200 | 201;
  /** Statuses beyond those every operation of the surface may answer. */
  readonly errors: readonly number[];
  /** `area:action`, or null where any key will do. */
  readonly permission: string | null;
  /** The organization's feature it needs beyond the surface's own. */
  readonly feature: string | null;
}

/** A resource's operations by name: `contacts.create`. */
export type Operations = Readonly<Record<string, Operation>>;

/** Keeps the literal types of a resource's table. */
export function defineOperations<const T extends Operations>(operations: T): T {
  return operations;
}

/** The names in a path's braces, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
