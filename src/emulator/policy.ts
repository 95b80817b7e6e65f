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

/** The client that sent a request: its key, and the organization or distributor whose data the key gives access to. */
export interface Caller {
  readonly key: Key;
  readonly organization?: Organization;
  readonly distributorId?: string;
}

/** Facts about a request that the stages have learned so far, for the headers of the response and for the log. */
export interface Progress {
  caller?: Caller;
  /** Rate-limit headers that were set when the limiter admitted or refused the request. */
  limitHeaders: Record<string, string>;
  code?: string;
  rule?: string;
  /** Faults applied so far. */
  faults?: readonly StruckFault[];
}

/** A counter of requests. */
export interface Counter {
  /** Id of the key or organization whose requests are counted. */
  readonly scope: string;
  readonly bucket: Bucket;
  /** Name under which the count is stored. MCP counts separately. */
  readonly name: string;
  /** Limits of the key, which replace the default limits. */
  readonly limits: Key["limits"];
}

/** The part of a request that a refusal is about. */
export type InputPart = "path" | "query" | "body";

/** How requests to an API are parsed and how its responses are formatted. */
export interface ResponsePolicy {
  readonly api: Api;
  /** Whether a body may be missing or have any media type. */
  readonly anyMediaType?: true;
  /** Whether a body may have any size. A server still limits how much it reads. */
  readonly anySize?: true;
  /** Schema of path parameters, for operations that don't define one (default: an id). */
  readonly parameter?: Schema;
  /** Returns the message for invalid input if its schema has no message. */
  readonly describeIssue?: z.core.$ZodErrorMap;
  /** Returns the refusal for invalid input. */
  invalid(part: InputPart, rule: string, details: RefusalDetail[]): Refusal;
  internalError(rule: string, message: string): Refusal;
  statusOf(refusal: Refusal): number;
  errorBody(refusal: Refusal): object;
}

/** The policy of one API. The stages of a request call it in the order of D-order and D-v2-order. */
export interface ApiPolicy extends ResponsePolicy {
  /** @throws Refusal 401 */
  authenticate(state: EmulatorState, headers: RequestRecord["headers"], now: number): Caller;
  /** Checks whether the client may use the API at all. @throws Refusal 402, 403 */
  enter?(caller: Caller): void;
  /**
   * Checks entitlement before the limiter. @throws Refusal 402, or 403 if a distributor key is for another version
   */
  gate(caller: Caller, operation: Operation): void;
  /** Returns the counters for a request; empty if the request is not counted. */
  countersOf(caller: Caller, operation: Operation): readonly Counter[];
  /** Returns headers for every response that is sent after the limiter ran. */
  limitHeaders(state: LimitState, now: number): Record<string, string>;
  exhausted(state: LimitState, now: number): Refusal;
  limiterDown(): Refusal;
  /** @throws Refusal 403 */
  permit(caller: Caller, operation: Operation): void;
  /** Returns the refusal for an unknown route. `rule` gives the reason. */
  unmatched(rule: string): Refusal;
  /** Adds the parts of the context that the API's handlers need. */
  contextOf(base: Context, caller: Caller): Context;
}

/** Counts the requests of each key in the bucket of the operation (public.limits.per-key). */
export function countByKey({ key }: Caller, { bucket }: Operation): readonly Counter[] {
  return bucket === null ? [] : [{ scope: key.id, bucket, name: bucket, limits: key.limits }];
}

/**
 * Returns the key that follows `Bearer` and one or more spaces; undefined if there is no key (D-number-form). @param
 * word which spelling of the scheme to accept: only the documented one, or any case (RFC 9110, 11.1)
 */
export function parseBearerToken(
  headers: RequestRecord["headers"],
  word: "exact" | "any case",
): string | undefined {
  const form = word === "exact" ? /^Bearer +([^\s]+) *$/ : /^Bearer +([^\s]+) *$/i;
  return form.exec(headers["authorization"] ?? "")?.[1];
}

/** Returns the whole seconds until the window's end, rounded up, at least 1 (D-window). */
export function secondsUntil(end: number, now: number): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Returns the Unix seconds at which the window ends, rounded up so that clients wait long enough. */
export function resetSeconds(end: number): number {
  return Math.ceil(end / 1000);
}
