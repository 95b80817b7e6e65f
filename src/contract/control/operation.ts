import type { Operation, Schema } from "../operation.js";

/**
 * One operation of the emulator's control interface. It has no keys, permissions, features or limits; everything else works as in an
 * operation of the service.
 */
export interface ControlOperation
  extends Pick<Operation, "method" | "path" | "summary" | "query" | "body" | "success"> {
  /** `page` means all items in the envelope of one page. */
  readonly responseShape: "item" | "page";
  /** The value of `data` or, for a page, one of its items. A newer emulator may add fields. */
  readonly response: Schema;
}

/** A control operation as written in a table, without the fields that can be derived from its method. */
interface WrittenOperation extends Omit<ControlOperation, "responseShape" | "success"> {
  /** Default: `item`. */
  readonly responseShape?: "page";
  /** Status of a successful response (default: 201 for a POST that creates a resource, else 200). */
  readonly success?: 200;
}

/** Keeps literal types, so that handlers and commands can be checked against them. */
type Completed<T> = {
  readonly [Name in keyof T]: Omit<T[Name], "responseShape" | "success"> & {
    readonly responseShape: T[Name] extends { readonly responseShape: "page" } ? "page" : "item";
    readonly success: 200 | 201;
  };
};

/** Adds the defaults to a table of control operations. */
export function defineControl<const T extends Readonly<Record<string, WrittenOperation>>>(
  written: T,
): Completed<T> {
  const completed: Record<string, ControlOperation> = {};
  for (const [name, operation] of Object.entries<WrittenOperation>(written))
    completed[name] = {
      responseShape: "item",
      success: operation.method === "POST" ? 201 : 200,
      ...operation,
    };
  // Entries are unchanged except for two added fields.
  return completed as Completed<T>;
}
