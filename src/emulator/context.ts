import type * as z from "zod";
import type { Database, SqlValue } from "../base/database.js";
import type { Operation, Operations, Schema } from "../contract/operation.js";
import type { EmulatorState } from "./emulator-state.js";
import type { Position } from "./kernel/cursor.js";
import type { FaultType } from "./kernel/faults.js";
import type { JsonText } from "./kernel/json-text.js";
import type { Organization } from "./kernel/organizations.js";

export interface Context {
  readonly state: EmulatorState;
  readonly database: Database;
  /** Time of the request, in milliseconds. It doesn't change while the request is handled. */
  readonly now: number;
  readonly operation: string;
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  newId(): string;
  /** Returns whether a fault of this type applies to the request. If so, counts the fault as used. */
  strikes(type: FaultType): boolean;
}

export interface PublicContext extends Context {
  readonly organization: Organization;
}

export interface DistributorContext extends Context {
  readonly distributorId: string;
}

export interface Page<T = unknown> {
  rows: T[] | JsonText;
  next: Position | null;
  filters: Readonly<Record<string, SqlValue | undefined>>;
}

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
 * Handlers for a resource's operations. To refuse a request and roll back its changes, a handler throws a
 * `Refusal`. To refuse a request and keep the changes, a handler returns a `Refusal`.
 */
export type Handlers<T extends Operations, C extends Context = PublicContext> = {
  readonly [Name in keyof T]: (context: C, input: Input<T[Name]>) => HandlerResult<T[Name]>;
};

/** The operation's schemas have already parsed the input. */
export interface AnyHandler {
  (context: Context, input: { path: Record<string, string>; query: unknown; body: unknown }): unknown;
  readonly isSingleStatement?: true;
}

/**
 * Marks a handler that needs no savepoint: its only write is its last statement, and nothing can fail
 * afterwards.
 */
export function markSingleStatement<Context, Input, Result>(
  handler: (context: Context, input: Input) => Result,
): (context: Context, input: Input) => Result {
  return Object.assign(handler, { isSingleStatement: true } satisfies Pick<AnyHandler, "isSingleStatement">);
}
