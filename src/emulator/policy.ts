import type * as z from "zod";
import type { Api } from "../contract/apis.js";
import { errorCodes } from "../contract/errors.js";
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

export interface Caller {
  readonly key: Key;
  readonly organization?: Organization;
  readonly distributorId?: string;
}

export interface Progress {
  caller?: Caller;
  limitHeaders: Record<string, string>;
  code?: string;
  rule?: string;
  faults?: readonly StruckFault[];
}

export interface Counter {
  /** ID of the key or organization whose requests are counted. */
  readonly scope: string;
  readonly bucket: Bucket;
  /** Name under which the count is stored. MCP has its own counters. */
  readonly name: string;
  readonly limits: Key["limits"];
}

export type InputPart = "path" | "query" | "body";

export interface ResponsePolicy {
  readonly api: Api;
  /** Whether a body is optional and can have any media type. */
  readonly anyMediaType?: true;
  /** Whether a body can have any length and any number of values. */
  readonly anySize?: true;
  /** Schema for path parameters of operations that don't define one (default: an ID). */
  readonly parameter?: Schema;
  readonly describeIssue?: z.core.$ZodErrorMap;
  invalid(part: InputPart, rule: string, details: RefusalDetail[]): Refusal;
  internalError(message: string): Refusal;
  errorBody(refusal: Refusal): object;
}

export function statusOf({ api }: ResponsePolicy, { status, code }: Refusal): number {
  return status ?? errorCodes[api.name][code]?.status ?? 500;
}

/** The policy of an API. The request stages call its functions in the order of D-order and D-v2-order. */
export interface ApiPolicy extends ResponsePolicy {
  /** @throws Refusal 401 */
  authenticate(state: EmulatorState, headers: RequestRecord["headers"], now: number): Caller;
  /** @throws Refusal 402, 403 */
  enter?(caller: Caller): void;
  /**
   * Checks whether the client's subscription or API version allows the operation. Called before the rate
   * limiter.
   * @throws Refusal 402, or 403 if a distributor key is for another version
   */
  gate(caller: Caller, operation: Operation): void;
  /** Empty if the request is not rate-limited. */
  countersOf(caller: Caller, operation: Operation): readonly Counter[];
  limitHeaders(state: LimitState, now: number): Record<string, string>;
  exhausted(state: LimitState, now: number): Refusal;
  limiterDown(): Refusal;
  /** @throws Refusal 403 */
  permit(caller: Caller, operation: Operation): void;
  /** `rule` distinguishes an unknown path from an unknown method. */
  unmatched(rule: string): Refusal;
  contextOf(base: Context, caller: Caller): Context;
}

/** Counts each key's requests in the operation's bucket (public.limits.per-key). */
export function countByKey({ key }: Caller, { bucket }: Operation): readonly Counter[] {
  return bucket === null ? [] : [{ scope: key.id, bucket, name: bucket, limits: key.limits }];
}

/**
 * Returns the key after `Bearer` and one or more spaces; undefined if there is no key (D-number-form).
 * @param word `exact` if the scheme must be spelled as documented, `any case` if its case is ignored (RFC
 * 9110, 11.1)
 */
export function parseBearerToken(
  headers: RequestRecord["headers"],
  word: "exact" | "any case",
): string | undefined {
  const form = word === "exact" ? /^Bearer +([^\s]+) *$/ : /^Bearer +([^\s]+) *$/i;
  return form.exec(headers["authorization"] ?? "")?.[1];
}

/** Returns the seconds until a window ends, rounded up and at least 1 (D-window). */
export function secondsUntil(end: number, now: number): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Returns a window's end in Unix seconds, rounded up so that clients wait long enough. */
export function resetSeconds(end: number): number {
  return Math.ceil(end / 1000);
}
