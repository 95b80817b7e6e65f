import type { ResponseRecord } from "../records.js";
import { type Exchange, routeOf, type Stage } from "./exchange.js";
import { handle, runHandler } from "./handle.js";
import { isRecorded, recordRefusal, runRecorded } from "./record-effect.js";

/**
 * In a fork, counts all reads, and records the writes without an effect. `handleRecorded` records all other
 * writes.
 */
export const record: Stage = (exchange, next) => {
  const response = next(exchange);
  if (!response.withdrawn) recordOutcome(exchange, response);
  return response;
};

function recordOutcome({ state, route, request, progress, write }: Exchange, response: ResponseRecord): void {
  const { recorder, clock } = state;
  if (recorder === undefined) return;
  const isRefused = response.status >= 400;
  if (write !== undefined) {
    if (isRefused) recorder.updateStatus(write, response.status);
  } else if (request.method !== "GET") {
    recordRefusal(recorder, route, clock.now(), request, progress, response);
  } else if (route) {
    recorder.countRead(route.name, isRefused ? (progress.code ?? "lost") : undefined);
  }
}

export const handleRecorded: Stage = (exchange, next) => {
  const { state, request } = exchange;
  const { recorder } = state;
  const route = routeOf(exchange);
  if (!recorder || !isRecorded(route)) return handle(exchange, next);
  return runHandler(exchange, (context, input) => {
    const { result, write } = runRecorded(recorder, route, context, input, request);
    exchange.write = write;
    return result;
  });
};
