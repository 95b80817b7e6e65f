import type { Operation, Schema } from "../operation.js";

/**
 * One call of the emulator's control interface. It stands outside keys, permissions, features and limits, so it has
 * none of them; everything else is as for an operation of the service.
 */
export interface ControlOperation
  extends Pick<Operation, "method" | "path" | "summary" | "query" | "body" | "success"> {
  /** `page`: all of them, in one page's envelope. */
  readonly responseShape: "item" | "page";
  /** The content of the envelope; for a page, one of its items. A newer emulator may add fields. */
  readonly response: Schema;
}

/** A control operation in a table, without the fields that follow from its method. */
interface WrittenOperation extends Omit<ControlOperation, "responseShape" | "success"> {
  /** Default: `item`. */
  readonly responseShape?: "page";
  /** Default: 201 for a POST, which makes something; else 200. */
  readonly success?: 200;
}

/** With its literal types, which handlers and commands are held to. */
type Completed<T> = {
  readonly [Name in keyof T]: Omit<T[Name], "responseShape" | "success"> & {
    readonly responseShape: T[Name] extends { readonly responseShape: "page" } ? "page" : "item";
    readonly success: 200 | 201;
  };
};

/** Completes a table of control calls with what is usual. */
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
  // Each entry is the one that was written, with the two fields added.
  return completed as Completed<T>;
}
