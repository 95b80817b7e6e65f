import type { AnyHandler, Context } from "../context.js";
import { toRefusalResponse, toSuccessResponse } from "../envelope.js";
import type { ResponseRecord } from "../records.js";
import { Refusal } from "../refusal.js";
import { type Exchange, routeOf, type Stage, toFaultTarget } from "./exchange.js";

export const handle: Stage = (exchange) => runHandler(exchange, routeOf(exchange).handler);

export function runHandler(exchange: Exchange, handler: AnyHandler): ResponseRecord {
  const { state, input, progress } = exchange;
  const { database } = state;
  const route = routeOf(exchange);
  const context = createContext(exchange);
  const run = () => handler(context, input);
  const write = () => {
    const result = run();
    state.assertSameFile();
    return result;
  };
  let result: unknown;
  // Reads need no transaction here: on a shared database, every request already runs in a transaction.
  if (route.operation.method === "GET") result = run();
  else if (handler.isSingleStatement && state.isCommittedTogether) result = database.lastly(run);
  else result = database.transaction(write);
  // A returned refusal keeps the handler's changes. A thrown refusal would roll them back.
  if (result instanceof Refusal) return toRefusalResponse(route.policy, result, progress);
  return toSuccessResponse(state, route, state.mirror.applyMirror(route.name, result), progress);
}

function createContext(exchange: Exchange): Context {
  const { state, request, progress } = exchange;
  const { name, policy } = routeOf(exchange);
  const now = state.clock.now();
  const base: Context = {
    state,
    database: state.database,
    now,
    operation: name,
    requestHeaders: request.headers,
    newId: () => state.ids.next(),
    strikes: (type) => state.faults.strike(type, toFaultTarget(exchange), now) !== undefined,
  };
  return progress.caller ? policy.contextOf(base, progress.caller) : base;
}
