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

/** A request and the information that previous stages have added. */
export interface Exchange {
  readonly state: EmulatorState;
  /** The request as the client sent it. */
  readonly sent: RequestRecord;
  /** The request to handle, which is a GET if the client sent a HEAD. */
  readonly request: RequestRecord;
  /** Method and path that faults match. For an MCP tool, these are the method and path of the HTTP request. */
  readonly method: string;
  readonly path: string;
  /** Monotonic time at which the request arrived, in milliseconds. */
  readonly started: number;
  readonly progress: Progress;
  /** Undefined until the request is matched. */
  route: Route | undefined;
  /** Path parameters as they were sent. */
  parameters: Readonly<Record<string, string>>;
  /** The parsed input; empty until the request is parsed. */
  input: Input;
  /** In a fork, the number of the recorded write. */
  write: number | undefined;
}

/** Handles an exchange. A stage returns its own response, or changes the input or the response of `next`. */
export type Stage = (exchange: Exchange, next: RespondTo) => ResponseRecord;

export type RespondTo = (exchange: Exchange) => ResponseRecord;

const noParameters = {};
const noInput: Input = { path: {}, query: {}, body: {} };

/** @param target method and path that faults match; default: those of the request */
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

/** @throws Error if the request is not matched yet */
export function routeOf({ route }: Exchange): Route {
  if (!route) throw new Error("the request has no route yet");
  return route;
}

/** Returns the parts of a request that faults can match. */
export function toFaultTarget(exchange: Exchange): FaultTarget {
  const { method, path, progress } = exchange;
  return { operation: routeOf(exchange).name, method, path, keyId: progress.caller?.key.id };
}

/** Returns the response for a refusal. @throws any other error */
export function respondToRefusal(exchange: Exchange, error: unknown): ResponseRecord {
  if (!(error instanceof Refusal)) throw error;
  return toRefusalResponse(routeOf(exchange).policy, error, exchange.progress);
}

/** Returns the response for any error; it is a 500 unless the error is a refusal. */
export function respondToError(exchange: Exchange, error: unknown): ResponseRecord {
  return toErrorResponse(exchange.state, routeOf(exchange).policy, error, exchange.progress);
}
