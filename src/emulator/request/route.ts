import { toRefusalResponse } from "../envelope.js";
import type { Routes } from "../routes.js";
import type { Stage } from "./exchange.js";

export function createRouteStage(routes: Routes): Stage {
  return (exchange, next) => {
    const { request, path, progress } = exchange;
    const match = routes.match(request.method, path);
    if (!match) {
      const { policy, rule } = routes.unmatched(path);
      return toRefusalResponse(policy, policy.unmatched(rule), progress);
    }
    exchange.route = match.route;
    exchange.parameters = match.parameters;
    return next(exchange);
  };
}
