import { monotonicMilliseconds } from "../../base/clock.js";
import type { EmulatorState } from "../emulator-state.js";
import { toErrorResponse, toRefusalResponse } from "../envelope.js";
import type { Input } from "../input.js";
import type { FaultTarget } from "../kernel/faults.js";
import { stripQuery } from "../paths.js";
import type { Progress } from "../policy.js";
import { type RequestRecord, type ResponseRecord, toReadRequest } from "../records.js";
import { Refusal } from "../refusal.js";
import type { Route } from "../routes.js";

export interface Exchange {
  readonly state: EmulatorState;
  readonly sent: RequestRecord;
  /** The request to handle: a GET if the client sent a HEAD. */
  readonly request: RequestRecord;
  /** Faults are matched with `method` and `path`; for an MCP tool, both values are from the HTTP request. */
  readonly method: string;
  readonly path: string;
  /** Monotonic time of the request's arrival. */
  readonly started: number;
  readonly progress: Progress;
  route: Route | undefined;
  parameters: Readonly<Record<string, string>>;
  input: Input;
  /** ID of the recorded write; set only in a fork. */
  write: number | undefined;
}

/** A stage can change the exchange before `next`, and the response after `next`. */
export type Stage = (exchange: Exchange, next: RespondTo) => ResponseRecord;

export type RespondTo = (exchange: Exchange) => ResponseRecord;

const noParameters = {};
const noInput: Input = { path: {}, query: {}, body: {} };

/** @param target method and path with which faults are matched (default: from the request) */
export function createExchange(
  state: EmulatorState,
  sent: RequestRecord,
  progress: Progress,
  target?: { method: string; path: string },
): Exchange {
  const request = toReadRequest(sent); // D-method-head
  return {
    state,
    sent,
    request,
    method: target?.method ?? request.method,
    path: target?.path ?? stripQuery(request.target),
    started: monotonicMilliseconds(),
    progress,
    route: undefined,
    parameters: noParameters,
    input: noInput,
    write: undefined,
  };
}

/** @throws Error if the request has no route yet */
export function routeOf({ route }: Exchange): Route {
  if (!route) throw new Error("the request has no route yet");
  return route;
}

export function toFaultTarget(exchange: Exchange): FaultTarget {
  const { method, path, progress } = exchange;
  return { operation: routeOf(exchange).name, method, path, keyId: progress.caller?.key.id };
}

/** @throws `error` if it is not a refusal */
export function respondToRefusal(exchange: Exchange, error: unknown): ResponseRecord {
  if (!(error instanceof Refusal)) throw error;
  return toRefusalResponse(routeOf(exchange).policy, error, exchange.progress);
}

export function respondToError(exchange: Exchange, error: unknown): ResponseRecord {
  return toErrorResponse(exchange.state, routeOf(exchange).policy, error, exchange.progress);
}
