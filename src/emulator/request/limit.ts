import type { Operation } from "../../contract/operation.js";
import type { EmulatorState } from "../emulator-state.js";
import type { FaultTarget } from "../kernel/faults.js";
import type { Limiter, LimitState } from "../kernel/limiter.js";
import type { ApiPolicy, Caller, Counter, Progress } from "../policy.js";
import { respondToRefusal, routeOf, type Stage } from "./exchange.js";

export const limit: Stage = (exchange, next) => {
  const { state, request, progress } = exchange;
  const { caller } = progress;
  const route = routeOf(exchange);
  if (caller) {
    try {
      countRequest(state, route.policy, caller, [route], exchange, progress);
    } catch (error) {
      const response = respondToRefusal(exchange, error);
      // The client waited for the limit, but another process has used it up. Let the client wait again.
      const isWithdrawn = response.status === 429 && request.waitsForLimit && state.isWrittenByOthers;
      return isWithdrawn ? { ...response, withdrawn: true } : response;
    }
  }
  return next(exchange);
};

/** An HTTP request has one operation; an MCP request has one for each tool call. */
interface RequestedOperation {
  readonly name: string;
  readonly operation: Operation;
}

/**
 * Counts each of a request's operations, or none of them if a limit is used up.
 * @param target method and path with which faults are matched
 * @throws Refusal
 */
export function countRequest(
  emulatorState: EmulatorState,
  policy: ApiPolicy,
  caller: Caller,
  requestedOperations: readonly RequestedOperation[],
  { method, path }: Pick<FaultTarget, "method" | "path">,
  progress: Progress,
): void {
  const now = emulatorState.clock.now();
  const reservations = new LimitReservations(emulatorState.limiter, now);
  let scarcest: LimitState | undefined;
  for (const { name, operation } of requestedOperations) {
    const counters = policy.countersOf(caller, operation);
    if (counters.length === 0) continue;
    const target: FaultTarget = { operation: name, method, path, keyId: caller.key.id };
    if (emulatorState.faults.strike("limiter_down", target, now)) {
      // public.errors.3
      reservations.releaseAll();
      throw policy.limiterDown(); // public.limits.3
    }
    for (const counter of counters) {
      const state = reservations.take(counter);
      if (!state.allowed) {
        progress.limitHeaders = policy.limitHeaders(state, now);
        throw policy.exhausted(state, now);
      }
      if (!scarcest || state.remaining < scarcest.remaining) scarcest = state;
    }
  }
  if (scarcest) progress.limitHeaders = policy.limitHeaders(scarcest, now);
}

class LimitReservations {
  private readonly taken: Counter[] = [];

  constructor(
    private readonly limiter: Limiter,
    private readonly now: number,
  ) {}

  /** If the counter is used up, removes the request from all counters. */
  take(counter: Counter): LimitState {
    const { scope, bucket, limits, name } = counter;
    const state = this.limiter.take(scope, bucket, this.now, limits, name);
    if (state.allowed) this.taken.push(counter);
    else this.releaseAll();
    return state;
  }

  releaseAll(): void {
    for (const { scope, name } of this.taken.splice(0)) this.limiter.release(scope, name);
  }
}
