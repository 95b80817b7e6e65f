import type { Operation, Schema } from "../operation.js";

/** An operation of the control interface, which needs no API key and no permission and has no rate limit. */
export interface ControlOperation
  extends Pick<Operation, "method" | "path" | "summary" | "query" | "body" | "success"> {
  /** `page` means a list without a cursor. */
  readonly responseShape: "item" | "page";
  /** Schema of `data` or, for a page, of one item. A newer emulator can add fields. */
  readonly response: Schema;
  /** Whether the body can contain numbers that a double can't represent. */
  readonly keepsDigits?: true;
}

interface WrittenOperation extends Omit<ControlOperation, "responseShape" | "success"> {
  /** Default: `item`. */
  readonly responseShape?: "page";
  /** Default: 201 for POST, otherwise 200. */
  readonly success?: 200;
}

/** Keeps literal types, so that the compiler can check handlers and commands. */
type Completed<T> = {
  readonly [Name in keyof T]: Omit<T[Name], "responseShape" | "success"> & {
    readonly responseShape: T[Name] extends { readonly responseShape: "page" } ? "page" : "item";
    readonly success: 200 | 201;
  };
};

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
  // The cast is safe, because only missing fields were added.
  return completed as Completed<T>;
}
