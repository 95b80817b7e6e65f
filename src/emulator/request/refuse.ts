import { respondToError, type Stage } from "./exchange.js";

export const refuse: Stage = (exchange, next) => {
  const { ids } = exchange.state;
  const { position } = ids;
  try {
    return next(exchange);
  } catch (error) {
    // The request's changes were rolled back, so later requests can use the request's IDs.
    ids.returnTo(position);
    return respondToError(exchange, error);
  }
};
