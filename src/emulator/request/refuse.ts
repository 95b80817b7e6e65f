import { respondToError, type Stage } from "./exchange.js";

/** Converts a refusal or another error of the following stages to a response. */
export const refuse: Stage = (exchange, next) => {
  const { ids } = exchange.state;
  const { position } = ids;
  try {
    return next(exchange);
  } catch (error) {
    // The work was rolled back with its records, and used no id.
    ids.returnTo(position);
    return respondToError(exchange, error);
  }
};
