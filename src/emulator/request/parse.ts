import { readInput } from "../input.js";
import { routeOf, type Stage } from "./exchange.js";

export const parse: Stage = (exchange, next) => {
  exchange.input = readInput(routeOf(exchange), exchange.parameters, exchange.request);
  return next(exchange);
};
