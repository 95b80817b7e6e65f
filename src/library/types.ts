import type { CallOptions, Client, ItemsOptions } from "../client/types.js";
import type { wire } from "../contract/wire.js";
import type { OperationTypes } from "../generated/operation-types.js";

/** The name of an operation, such as `contacts.create`. */
export type OperationName = keyof OperationTypes & keyof typeof wire;

export type OperationPath<Name extends OperationName> = OperationTypes[Name]["path"];
export type OperationQuery<Name extends OperationName> = OperationTypes[Name]["query"];
export type OperationBody<Name extends OperationName> = OperationTypes[Name]["body"];
/** The data of an operation's response without the envelope; for a list, the rows. */
export type OperationData<Name extends OperationName> = OperationTypes[Name]["data"];

/** The names of operations that return lists. */
export type ListName = {
  [Name in OperationName]: (typeof wire)[Name]["responseShape"] extends "page" | "list" ? Name : never;
}[OperationName];

export type OperationRow<Name extends ListName> =
  OperationData<Name> extends readonly (infer Row)[] ? Row : never;

type Empty = Record<never, never>;

/** An operation's input: only the parts that the operation accepts, including all required parts. */
export type OperationInput<Name extends OperationName> = (keyof OperationPath<Name> extends never
  ? { path?: Empty }
  : { path: OperationPath<Name> }) &
  (undefined extends OperationBody<Name> ? { body?: undefined } : { body: OperationBody<Name> }) & {
    query?: OperationQuery<Name>;
  };

type Arguments<Name extends OperationName, Options> =
  Empty extends OperationInput<Name>
    ? [input?: OperationInput<Name>, options?: Options]
    : [input: OperationInput<Name>, options?: Options];

export interface ServiceResponse<Data> {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as received, with its envelope. */
  body: unknown;
  /** The documented fields. A deployment may return additional fields. */
  data: Data;
}

/** A client with typed parameters, bodies and response data. */
export interface ServiceClient {
  /**
   * Calls one operation. Reads are retried; a mutation is sent once.
   * @throws ClientError
   */
  call<Name extends OperationName>(
    operation: Name,
    ...given: Arguments<Name, CallOptions>
  ): Promise<ServiceResponse<OperationData<Name>>>;
  /**
   * Yields the rows of a list from all pages, with one page in memory at a time.
   * @throws ClientError
   */
  items<Name extends ListName>(
    operation: Name,
    ...given: Arguments<Name, CallOptions & ItemsOptions>
  ): AsyncGenerator<OperationRow<Name>, void>;
  /** Sends a request to any path, using the client's key, pacing and error handling. */
  request: Client["request"];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
