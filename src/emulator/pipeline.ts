import { monotonicMilliseconds } from "../base/clock.js";
import { admit } from "./admission.js";
import type { Context } from "./context.js";
import type { EmulatorState } from "./emulator-state.js";
import { toErrorResponse, toRefusalResponse, toSuccessResponse } from "./envelope.js";
import { type Input, parseJsonBody, readInput } from "./input.js";
import type { FaultTarget } from "./kernel/faults.js";
import { stripQuery } from "./paths.js";
import type { Progress } from "./policy.js";
import { isRecorded, recordRefusal, runRecorded } from "./recording.js";
import { type RequestRecord, type ResponseRecord, toReadRequest } from "./records.js";
import { Refusal } from "./refusal.js";
import type { Match, Route, Routes } from "./routes.js";

/**
 * Handles one request of the service's own APIs, in the order of D-order: match → authenticate → gate → limit →
 * permit → path → query and body → existence, state and effect in the handler → envelope.
 */
export function handleRequest(state: EmulatorState, routes: Routes, request: RequestRecord): ResponseRecord {
  const started = monotonicMilliseconds();
  return state.inRequest(() => {
    const path = stripQuery(request.target);
    const progress: Progress = { limitHeaders: {} };
    const effectiveRequest = toReadRequest(request); // D-method-head
    const match = routes.match(effectiveRequest.method, path);
    const response = match
      ? handleMatched(state, match, effectiveRequest, path, progress)
      : handleUnmatched(state, routes, request, path, progress);
    // Not in the handler's transaction: a fault that rolled it back is still used up.
    progress.faults = state.faults.keepCounts();
    if (!response.withdrawn) logRequest(state, request, response, progress, started);
    return response;
  });
}

/** Writes a request and its response into the log. */
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
    // Headers that are added later are the same for every response.
    response_headers: { ...response.headers },
    faults: progress.faults ?? [],
  });
}

function handleUnmatched(
  state: EmulatorState,
  routes: Routes,
  request: RequestRecord,
  path: string,
  progress: Progress,
): ResponseRecord {
  const { policy, rule } = routes.unmatched(path);
  const response = toRefusalResponse(policy, policy.unmatched(rule), progress);
  if (state.recorder && !["GET", "HEAD"].includes(request.method))
    recordRefusal(state.recorder, undefined, state.clock.now(), request, progress, response);
  return response;
}

function handleMatched(
  state: EmulatorState,
  match: Match,
  request: RequestRecord,
  path: string,
  progress: Progress,
): ResponseRecord {
  const { policy, operation, name } = match.route;
  try {
    // v1.health: it needs no key, so no request is counted
    if (!operation.keyless) admit(state, policy, request, path, [match.route], progress);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const response = toRefusalResponse(policy, error, progress);
    // The client's slot was valid when it took it: give it another one, as for a request a moment later.
    if (response.status === 429 && request.waitsForLimit && state.isWrittenByOthers)
      return { ...response, withdrawn: true };
    return recordOutcome(state, match.route, request, progress, response);
  }
  const target = { operation: name, method: request.method, path, keyId: progress.caller?.key.id };
  return performOperation(state, match, request, target, progress);
}

/** Executes an admitted request, with its faults. */
export function performOperation(
  state: EmulatorState,
  { route, parameters }: Match,
  request: RequestRecord,
  target: FaultTarget,
  progress: Progress,
): ResponseRecord {
  const { policy } = route;
  const done = (response: ResponseRecord, write?: number) =>
    recordOutcome(state, route, request, progress, response, write);
  const faults = state.faults.strikeRequest(target, state.clock.now());
  const strikes = (type: (typeof faults)[number]["type"]) => faults.find((fault) => fault.type === type);
  const delayMilliseconds = strikes("delay")?.delayMilliseconds;

  if (strikes("error_before")) {
    const error = policy.internalError(
      "public.errors.6",
      "a fault was applied before the request was executed",
    );
    return done({ ...toRefusalResponse(policy, error, progress), delayMilliseconds });
  }
  if (strikes("drop_before"))
    return done({ status: 500, headers: {}, body: undefined, disturbance: "drop", delayMilliseconds });

  const { response, write } = runOperation(state, route, parameters, request, target, progress);
  if (state.mirror.isMirror) reportAbsence(state, route, parameters, request, response);
  response.delayMilliseconds = delayMilliseconds;
  if (strikes("error_after")) {
    const error = policy.internalError(
      "public.errors.6",
      "a fault was applied after the request was executed",
    );
    return done({ ...toRefusalResponse(policy, error, progress), delayMilliseconds }, write);
  }
  if (strikes("drop_after")) response.disturbance = "drop";
  if (strikes("truncate")) response.disturbance = "truncate";
  if (strikes("garbage")) response.body = '{"data": <not JSON';
  return done(response, write);
}

/** A fork records every request: those with an effect are recorded with it, the others here. */
function recordOutcome(
  { recorder, clock }: EmulatorState,
  route: Route,
  request: RequestRecord,
  progress: Progress,
  response: ResponseRecord,
  write?: number,
): ResponseRecord {
  if (recorder === undefined) return response;
  if (write !== undefined) {
    if (response.status >= 400) recorder.updateStatus(write, response.status);
  } else if (route.operation.method === "GET") {
    recorder.countRead(route.name, response.status >= 400 ? (progress.code ?? "lost") : undefined);
  } else {
    recordRefusal(recorder, route, clock.now(), request, progress, response);
  }
  return response;
}

function runOperation(
  state: EmulatorState,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
  target: FaultTarget,
  progress: Progress,
): { response: ResponseRecord; write?: number | undefined } {
  const { policy, operation } = route;
  const { caller } = progress;
  const { position } = state.ids;
  if (!caller && !operation.keyless) throw new Error("not authenticated");
  try {
    if (caller) policy.permit(caller, operation); // D-order
    const input = readRequestInput(state, route, parameters, request);
    const now = state.clock.now();
    const base: Context = {
      state,
      database: state.database,
      now,
      operation: route.name,
      requestHeaders: request.headers,
      newId: () => state.ids.next(),
      strikes: (type) => state.faults.strike(type, target, now) !== undefined,
    };
    const context = caller ? policy.contextOf(base, caller) : base;
    const recorder = isRecorded(route) ? state.recorder : undefined;
    let kept: number | undefined;
    const run = () => {
      if (!recorder) return route.handler(context, input);
      const { result, write } = runRecorded(recorder, route, context, input, request);
      kept = write;
      return result;
    };
    const write = () => {
      const written = run();
      state.assertSameFile();
      return written;
    };
    const isRead = operation.method === "GET";
    const isAlone = route.handler.isSingleStatement && !recorder && state.isCommittedTogether;
    let result: unknown;
    // A read needs no transaction in its handler: in a shared database the whole request has one.
    if (isRead) result = run();
    else if (isAlone) result = state.database.lastly(run);
    else result = state.database.transaction(write);
    // Returned instead of thrown, to keep the changes made before the refusal.
    if (result instanceof Refusal)
      return { response: toRefusalResponse(policy, result, progress), write: kept };
    const shown = state.mirror.applyMirror(route.name, result);
    return { response: toSuccessResponse(state, route, shown, progress), write: kept };
  } catch (error) {
    // The work was rolled back with its records, and used no id.
    state.ids.returnTo(position);
    return { response: toErrorResponse(state, policy, error, progress) };
  }
}

/** @throws Refusal for invalid input */
function readRequestInput(
  state: EmulatorState,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
): Input {
  if (state.mirror.isMirror) return readMirroredInput(state, route, parameters, request);
  return readInput(route, parameters, request);
}

/**
 * Parses the input for a copied organization: without the decisions that it violates, and refusing fields
 * that the contract doesn't define, since the effect of such a write is unknown here (M10).
 * @throws Refusal for invalid input
 */
function readMirroredInput(
  state: EmulatorState,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
): Input {
  const { operation, policy } = route;
  const { parameter = policy.parameter } = state.mirror;
  try {
    const relaxed = state.mirror.relaxOperation(operation);
    return readInput({ policy: { ...policy, parameter }, operation: relaxed }, parameters, request);
  } catch (error) {
    const sent = request.body === undefined ? undefined : parseJsonBody(request.body);
    const field = state.mirror.unknownField(route.name, sent);
    if (field === undefined) throw error;
    const message = "can't be checked by the copy: the contract does not define this field";
    throw policy.invalid("body", "mirror.unknown-field", [{ path: [field], message }]);
  }
}

/** Reports that a read needed data that was not copied, or that a write did not find it. */
function reportAbsence(
  state: EmulatorState,
  { name, operation }: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
  { headers, status }: ResponseRecord,
): void {
  const [id] = Object.values(parameters);
  const isMissed = status === 404 && id !== undefined;
  if (operation.method === "GET" ? status >= 400 && status !== 404 : !isMissed) return;
  const groupId = new URLSearchParams(request.target.split("?")[1] ?? "").get("group_id") ?? undefined;
  const area = state.mirror.findAbsentArea(name, {
    groupId,
    id,
    isFound: status < 400,
  });
  if (area === undefined) return;
  headers["X-Emulator-Absent"] = area;
  state.mirror.countAbsentRead(area, groupId);
}

function textOf(body: RequestRecord["body"]): string | null {
  if (body === undefined) return null;
  return typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}
