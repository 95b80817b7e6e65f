import type * as z from "zod";
import type { Bucket } from "./limits.js";
import type { SurfaceName } from "./surfaces.js";

/** Any schema; the core type keeps checking fast. */
export type Schema = z.core.$ZodType;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * How a success answers:
 * `item` one object in the envelope, `page` a list with a cursor, `list` a plain array in the envelope,
 * `empty` the empty success, `binary` bytes, `bare` an object without an envelope.
 */
export type AnswerKind = "item" | "page" | "list" | "empty" | "binary" | "bare";

/** One operation of the service, as data. Everything mechanical is derived from this. */
export interface Operation {
  /** Which interface it belongs to: base path, envelope and error body follow from it. */
  readonly surface: SurfaceName;
  readonly method: Method;
  /** Relative to the surface's base path; `{contact_id}` stands for a parameter. */
  readonly path: string;
  /** One line, as a person would say it. */
  readonly summary: string;
  /** The decision that made up this path, where the documents show none. */
  readonly pathAssumed?: string;
  /** Schema of the path parameters that are not the surface's usual id. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly answer: AnswerKind;
  /** The object in the envelope; of a page or list, one of its items. */
  readonly response?: Schema;
  readonly success: 200 | 201;
  /** Statuses beyond those every operation of the surface may answer. */
  readonly errors: readonly number[];
  readonly bucket: Bucket | null;
  /** `area:action`, or null where any key will do. */
  readonly permission: string | null;
  /** The organization's feature it needs beyond the surface's own. */
  readonly feature: string | null;
  /** It asks for no key, so nobody is counted and nothing is permitted or gated. */
  readonly keyless?: true;
}

/** What of an operation routing needs: `wire.ts` is generated of these. */
export interface WireOperation
  extends Pick<Operation, "surface" | "method" | "path" | "answer" | "bucket" | "keyless"> {
  /** The resource it belongs to: the name of its files. */
  readonly resource: string;
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
