import type { Operation, Schema } from "../operation.js";

/**
 * One call of the emulator's control interface. It has no keys, permissions, features and limits; everything
 * else works as for an operation of the service.
 */
export interface ControlOperation
  extends Pick<Operation, "method" | "path" | "summary" | "query" | "body" | "success"> {
  /** `page`: all items, in one page's envelope. */
  readonly responseShape: "item" | "page";
  /** The value of `data`; for a page, one of its items. A newer emulator may add fields. */
  readonly response: Schema;
}

/** A control operation in a table, without the fields that follow from its method. */
interface WrittenOperation extends Omit<ControlOperation, "responseShape" | "success"> {
  /** Default: `item`. */
  readonly responseShape?: "page";
  /** Default: 201 for a POST that creates a resource, else 200. */
  readonly success?: 200;
}

/** Keeps literal types, which handlers and commands are checked against. */
type Completed<T> = {
  readonly [Name in keyof T]: Omit<T[Name], "responseShape" | "success"> & {
    readonly responseShape: T[Name] extends { readonly responseShape: "page" } ? "page" : "item";
    readonly success: 200 | 201;
  };
};

/** Completes a table of control calls with the defaults. */
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
  // Each entry is unchanged except for the two added fields.
  return completed as Completed<T>;
}
