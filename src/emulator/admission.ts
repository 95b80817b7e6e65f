import type { Operation } from "../contract/operation.js";
import type { EmulatorState } from "./emulator-state.js";
import type { FaultTarget } from "./kernel/faults.js";
import type { Limiter, LimitState } from "./kernel/limiter.js";
import type { ApiPolicy, Caller, Counter, Progress } from "./policy.js";
import type { RequestRecord } from "./records.js";

/** The operations of a request: one, or over MCP any number of tools. */
interface RequestedOperation {
  /** `contacts.create` */
  readonly name: string;
  readonly operation: Operation;
}

/**
 * Checks a request before its content: authentication, access, limits, in the order of D-order and
 * D-v2-order.
 * @param path without the query
 * @throws Refusal
 */
export function admit(
  emulatorState: EmulatorState,
  policy: ApiPolicy,
  request: RequestRecord,
  path: string,
  requestedOperations: readonly RequestedOperation[],
  progress: Progress,
): Caller {
  const now = emulatorState.clock.now();
  const caller = policy.authenticate(emulatorState, request.headers, now);
  progress.caller = caller;
  policy.enter?.(caller);
  for (const { operation } of requestedOperations) policy.gate(caller, operation);
  const reservations = new LimitReservations(emulatorState.limiter, now);
  let scarcest: LimitState | undefined;
  for (const { name, operation } of requestedOperations) {
    const counters = policy.countersOf(caller, operation);
    if (counters.length === 0) continue;
    const target: FaultTarget = { operation: name, method: request.method, path, keyId: caller.key.id };
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
  return caller;
}

/** The reservations of one request: in all of its counters, or in none. */
class LimitReservations {
  private readonly taken: Counter[] = [];

  constructor(
    private readonly limiter: Limiter,
    private readonly now: number,
  ) {}

  /** Adds a reservation; releases all if a counter is used up. */
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
