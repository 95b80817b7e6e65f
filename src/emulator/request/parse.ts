import { readInput } from "../input.js";
import { routeOf, type Stage } from "./exchange.js";

/** Parses path, query and body with the operation's schemas. */
export const parse: Stage = (exchange, next) => {
  exchange.input = readInput(routeOf(exchange), exchange.parameters, exchange.request);
  return next(exchange);
};
