import { monotonicMilliseconds } from "../../base/clock.js";
import type { EmulatorState } from "../emulator-state.js";
import type { Progress } from "../policy.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import type { Stage } from "./exchange.js";

export const log: Stage = (exchange, next) => {
  const response = next(exchange);
  const { state, progress } = exchange;
  // Store the counts of faults outside the handler's transaction: a fault counts as used even if the
  // handler's changes are rolled back.
  progress.faults = state.faults.keepCounts();
  if (!response.withdrawn) logRequest(state, exchange.sent, response, progress, exchange.started);
  return response;
};

export function logRequest(
  state: EmulatorState,
  request: RequestRecord,
  response: ResponseRecord,
  progress: Progress,
  started: number,
): void {
  state.log.add({
    at: state.clock.now(),
    method: request.method,
    path: request.target,
    status: response.status,
    code: progress.code ?? null,
    rule: progress.rule ?? null,
    duration_ms: monotonicMilliseconds() - started,
    key_id: progress.caller?.key.id ?? null,
    request_body: textOf(request.body),
    response_body: typeof response.body === "string" && request.method !== "HEAD" ? response.body : null,
    request_headers: request.headers,
    // Copy the headers now: headers that are added later are the same in every response, so the log omits
    // them.
    response_headers: { ...response.headers },
    faults: progress.faults ?? [],
  });
}

function textOf(body: RequestRecord["body"]): string | null {
  if (body === undefined) return null;
  return typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}
