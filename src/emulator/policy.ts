import type * as z from "zod";
import type { Api } from "../contract/apis.js";
import type { Bucket } from "../contract/limits.js";
import type { Operation, Schema } from "../contract/operation.js";
import type { Context } from "./context.js";
import type { EmulatorState } from "./emulator-state.js";
import type { StruckFault } from "./kernel/faults.js";
import type { Key } from "./kernel/keys.js";
import type { LimitState } from "./kernel/limiter.js";
import type { Organization } from "./kernel/organizations.js";
import type { RequestRecord } from "./records.js";
import type { Refusal, RefusalDetail } from "./refusal.js";

/** The caller: a key, and the owner of the key's data. */
export interface Caller {
  readonly key: Key;
  readonly organization?: Organization;
  readonly distributorId?: string;
}

/** The state of a request so far, for the headers of its response and for the log. */
export interface Progress {
  caller?: Caller;
  /** Headers that the limiter set when it admitted or refused the request. */
  limitHeaders: Record<string, string>;
  code?: string;
  rule?: string;
  /** Faults applied so far. */
  faults?: readonly StruckFault[];
}

/** A counter of requests. */
export interface Counter {
  /** The owner of a count: a key's id, or an organization's. */
  readonly scope: string;
  readonly bucket: Bucket;
  /** The bucket's name in storage: MCP counts separately. */
  readonly name: string;
  /** A key's own limits, which replace the deployment's. */
  readonly limits: Key["limits"];
}

/** The part of a request that is invalid. */
export type InputPart = "path" | "query" | "body";

/** How an API parses requests and formats responses. */
export interface ResponsePolicy {
  readonly api: Api;
  /** Whether a body may lack the JSON media type, and may be missing. */
  readonly anyMediaType?: true;
  /** Whether a body may have any size: a server limits what it reads. */
  readonly anySize?: true;
  /** The schema of path parameters, unless an operation has its own. Default: an id. */
  readonly parameter?: Schema;
  /** Returns the message for an invalid input if its schema has none. */
  readonly describeIssue?: z.core.$ZodErrorMap;
  /** Returns the refusal of an invalid input. */
  invalid(part: InputPart, rule: string, details: RefusalDetail[]): Refusal;
  internalError(rule: string, message: string): Refusal;
  statusOf(refusal: Refusal): number;
  errorBody(refusal: Refusal): object;
}

/** The policy of one API. The stages of a request call it in the order of D-order and D-v2-order. */
export interface ApiPolicy extends ResponsePolicy {
  /** @throws Refusal 401 */
  authenticate(state: EmulatorState, headers: RequestRecord["headers"], now: number): Caller;
  /** Checks access to the API as a whole. @throws Refusal 402, 403 */
  enter?(caller: Caller): void;
  /**
   * Checks entitlement before the limiter.
   * @throws Refusal 402, or 403 for a distributor key's version
   */
  gate(caller: Caller, operation: Operation): void;
  /** Returns the counters that count a request; empty if it is not counted. */
  countersOf(caller: Caller, operation: Operation): readonly Counter[];
  /** Returns the headers of every response after the limiter ran. */
  limitHeaders(state: LimitState, now: number): Record<string, string>;
  exhausted(state: LimitState, now: number): Refusal;
  limiterDown(): Refusal;
  /** @throws Refusal 403 */
  permit(caller: Caller, operation: Operation): void;
  /** Returns the refusal of an unknown route; `rule` is the reason. */
  unmatched(rule: string): Refusal;
  /** Completes the base context for the API's handlers. */
  contextOf(base: Context, caller: Caller): Context;
}

/** public.limits.per-key: the requests of a key are counted in its operation's bucket. */
export function countByKey({ key }: Caller, { bucket }: Operation): readonly Counter[] {
  return bucket === null ? [] : [{ scope: key.id, bucket, name: bucket, limits: key.limits }];
}

/**
 * Returns the key after `Bearer` and one or more spaces; undefined if there is no key (D-number-form).
 * @param word the scheme, in the documents' spelling or in any case (RFC 9110, 11.1)
 */
export function parseBearerToken(
  headers: RequestRecord["headers"],
  word: "exact" | "any case",
): string | undefined {
  const form = word === "exact" ? /^Bearer +([^\s]+) *$/ : /^Bearer +([^\s]+) *$/i;
  return form.exec(headers["authorization"] ?? "")?.[1];
}

/** Whole seconds from now to the window's end, rounded up, at least 1 (D-window). */
export function secondsUntil(end: number, now: number): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Unix seconds at which the window ends, rounded up, so that clients wait long enough. */
export function resetSeconds(end: number): number {
  return Math.ceil(end / 1000);
}
