import { respondToError, type Stage } from "./exchange.js";

/** Converts a refusal or any other error from the following stages to a response. */
export const refuse: Stage = (exchange, next) => {
  const { ids } = exchange.state;
  const { position } = ids;
  try {
    return next(exchange);
  } catch (error) {
    // The work and its records were rolled back, so no id was used.
    ids.returnTo(position);
    return respondToError(exchange, error);
  }
};
