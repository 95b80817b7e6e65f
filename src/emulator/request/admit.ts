import type { Operation } from "../../contract/operation.js";
import type { EmulatorState } from "../emulator-state.js";
import type { ApiPolicy, Caller, Progress } from "../policy.js";
import type { RequestRecord } from "../records.js";
import { respondToRefusal, routeOf, type Stage } from "./exchange.js";

export const admit: Stage = (exchange, next) => {
  const { policy, operation } = routeOf(exchange);
  // Operations without a key are not rate-limited (v1.health).
  if (!operation.keyless) {
    try {
      admitCaller(exchange.state, policy, exchange.request, [operation], exchange.progress);
    } catch (error) {
      return respondToRefusal(exchange, error);
    }
  }
  return next(exchange);
};

/**
 * Checks in the order of D-order and D-v2-order.
 * @param operations the requested operation; over MCP, one operation for each tool call
 * @throws Refusal
 */
export function admitCaller(
  state: EmulatorState,
  policy: ApiPolicy,
  request: RequestRecord,
  operations: readonly Operation[],
  progress: Progress,
): Caller {
  const caller = policy.authenticate(state, request.headers, state.clock.now());
  progress.caller = caller;
  policy.enter?.(caller);
  for (const operation of operations) policy.gate(caller, operation);
  return caller;
}
