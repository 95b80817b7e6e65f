import { routeOf, type Stage } from "./exchange.js";

export const permit: Stage = (exchange, next) => {
  const { policy, operation } = routeOf(exchange);
  const { caller } = exchange.progress;
  if (caller)
    policy.permit(caller, operation); // D-order
  else if (!operation.keyless) throw new Error("not authenticated");
  return next(exchange);
};
