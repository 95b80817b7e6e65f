import { toRefusalResponse } from "../envelope.js";
import type { ResponseRecord } from "../records.js";
import { routeOf, type Stage, toFaultTarget } from "./exchange.js";

/**
 * Applies faults to the request before its operation runs, and to the response afterwards (public.errors.6).
 */
export const faults: Stage = (exchange, next) => {
  const { state, progress } = exchange;
  const struck = state.faults.strikeRequest(toFaultTarget(exchange), state.clock.now());
  if (struck.length === 0) return next(exchange);
  const { policy } = routeOf(exchange);
  const strikes = (type: (typeof struck)[number]["type"]) => struck.find((fault) => fault.type === type);
  const delayMilliseconds = strikes("delay")?.delayMilliseconds;
  const fail = (message: string): ResponseRecord => {
    const error = policy.internalError(message);
    return { ...toRefusalResponse(policy, error, progress), delayMilliseconds };
  };

  if (strikes("error_before")) return fail("a fault was applied before the request was executed");
  if (strikes("drop_before"))
    return { status: 500, headers: {}, body: undefined, disturbance: "drop", delayMilliseconds };

  const response = next(exchange);
  response.delayMilliseconds = delayMilliseconds;
  if (strikes("error_after")) return fail("a fault was applied after the request was executed");
  if (strikes("drop_after")) response.disturbance = "drop";
  if (strikes("truncate")) response.disturbance = "truncate";
  if (strikes("garbage")) response.body = '{"data": <not JSON';
  return response;
};
