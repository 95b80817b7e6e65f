import type * as z from "zod";
import type { Database, SqlValue } from "../base/database.js";
import type { Operation, Operations, Schema } from "../contract/operation.js";
import type { EmulatorState } from "./emulator-state.js";
import type { Position } from "./kernel/cursor.js";
import type { FaultType } from "./kernel/faults.js";
import type { JsonText } from "./kernel/json-text.js";
import type { Organization } from "./kernel/organizations.js";

/** The context of every handler, with the emulator state and the time of the request. */
export interface Context {
  readonly state: EmulatorState;
  readonly database: Database;
  /** Time of the request in milliseconds; constant during the request. */
  readonly now: number;
  /** `contacts.create` */
  readonly operation: string;
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  newId(): string;
  /** Returns whether a fault of this type applies now, and counts this as one use of the fault. */
  strikes(type: FaultType): boolean;
}

export interface PublicContext extends Context {
  readonly organization: Organization;
}

export interface DistributorContext extends Context {
  readonly distributorId: string;
}

/**
 * The result of a list handler: at most `limit` rows, as values or as one JSON string, and the position of the next page.
 */
export interface Page<T = unknown> {
  rows: T[] | JsonText;
  next: Position | null;
  /** The filters for which the cursor is valid. */
  filters: Readonly<Record<string, SqlValue | undefined>>;
}

/** A handler's result that consists of bytes, or that sets the status and headers. */
export class BinaryResponse {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly bytes: Uint8Array,
  ) {}
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;
type Parsed<T> = T extends Schema ? z.output<T> : Record<string, never>;

/** The parsed parts of an operation's request. */
export interface Input<O extends Pick<Operation, "path" | "query" | "body">> {
  path: Record<ParameterNames<O["path"]>, string>;
  query: Parsed<O["query"]>;
  body: Parsed<O["body"]>;
}

type HandlerResult<O extends Operation> = O["responseShape"] extends "page"
  ? Page
  : O["responseShape"] extends "empty"
    ? unknown
    : O["responseShape"] extends "binary"
      ? BinaryResponse
      : object;

/**
 * Handlers for the operations in a resource's table. Throwing a `Refusal` rolls back the handler's changes; returning it keeps the changes
 * made so far.
 */
export type Handlers<T extends Operations, C extends Context = PublicContext> = {
  readonly [Name in keyof T]: (context: C, input: Input<T[Name]>) => HandlerResult<T[Name]>;
};

/** A handler in the form that a request's stages call, after the operation's schemas have parsed the input. */
export interface AnyHandler {
  (context: Context, input: { path: Record<string, string>; query: unknown; body: unknown }): unknown;
  readonly isSingleStatement?: true;
}

/** Marks a handler that writes with a single statement and can't fail afterwards, so that it needs no savepoint. */
export function markSingleStatement<Context, Input, Result>(
  handler: (context: Context, input: Input) => Result,
): (context: Context, input: Input) => Result {
  return Object.assign(handler, { isSingleStatement: true } satisfies Pick<AnyHandler, "isSingleStatement">);
}
