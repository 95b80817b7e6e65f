import type { Bucket } from "../contract/limits.js";
import type { Operation } from "../contract/operation.js";
import type { Surface } from "../contract/surfaces.js";
import type { Context } from "./context.js";
import type { Key } from "./kernel/keys.js";
import type { LimitState } from "./kernel/limiter.js";
import type { Organization } from "./kernel/organizations.js";
import type { Refusal, RefusalDetail } from "./refusal.js";
import type { World } from "./world.js";

/** Who asks: a key, and what it opens. */
export interface Caller {
  readonly key: Key;
  readonly organization?: Organization;
  readonly distributorId?: string;
}

/** Where an input was wrong. */
export type InputPlace = "path" | "query" | "body";

/** What one surface does its own way. The pipeline asks in the order of D-order and D-v2-order. */
export interface SurfacePolicy {
  readonly surface: Surface;
  /** @throws Refusal 401 */
  authenticate(world: World, authorization: string | undefined, now: number): Caller;
  /** Entitlement before the limiter. @throws Refusal 402, or 403 for a distributor key's version */
  gate(caller: Caller, operation: Operation): void;
  bucketOf(operation: Operation): Bucket | null;
  /** Headers of every answer once the limiter has spoken. */
  limitHeaders(state: LimitState, now: number): Record<string, string>;
  exhausted(state: LimitState, now: number): Refusal;
  limiterDown(): Refusal;
  /** @throws Refusal 403 */
  permit(caller: Caller, operation: Operation): void;
  /** The refusal of an input that does not parse. */
  invalid(place: InputPlace, rule: string, details: RefusalDetail[]): Refusal;
  /** The refusal for a route that is none; `rule` says why. */
  unmatched(rule: string): Refusal;
  internalError(rule: string, message: string): Refusal;
  /** The context that the surface's handlers take. */
  contextOf(base: Context, caller: Caller): Context;
  statusOf(refusal: Refusal): number;
  errorBody(refusal: Refusal): object;
}

/** The key after `Bearer `, or undefined where there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +([^\s]+) *$/.exec(authorization)?.[1];
}

/** Whole seconds from now to the window's end, rounded up, at least 1 (D-window). */
export function secondsUntil(end: number, now: number): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Unix seconds at which the window ends, rounded up, so that who waits for it waits long enough. */
export function resetSeconds(end: number): number {
  return Math.ceil(end / 1000);
}
