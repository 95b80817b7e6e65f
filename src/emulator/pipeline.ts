import { monotonicMilliseconds } from "../base/clock.js";
import { admit } from "./admission.js";
import type { Context } from "./context.js";
import { failed, refused, succeeded } from "./envelope.js";
import { type Input, parsedJson, readInput } from "./input.js";
import type { FaultTarget } from "./kernel/faults.js";
import { pathOf } from "./paths.js";
import type { Progress } from "./policy.js";
import { isRecorded, recordRefusal, runRecorded } from "./recording.js";
import { asRead, type RequestRecord, type ResponseRecord } from "./records.js";
import { Refusal } from "./refusal.js";
import type { Match, Route, Routes } from "./routes.js";
import type { World } from "./world.js";

/**
 * Answers one request of the service's own surfaces, in the order of D-order: match → authenticate → gate → limit →
 * permit → path → query and body → existence, state and effect in the handler → envelope.
 */
export function answerRequest(world: World, routes: Routes, request: RequestRecord): ResponseRecord {
  const started = monotonicMilliseconds();
  return world.inRequest(() => {
    const path = pathOf(request.target);
    const progress: Progress = { limitHeaders: {} };
    const asked = asRead(request); // D-method-head
    const match = routes.match(asked.method, path);
    const response = match
      ? answerMatched(world, match, asked, path, progress)
      : answerUnmatched(world, routes, request, path, progress);
    // Not in the handler's transaction: a fault that made it roll back is used up all the same.
    progress.faults = world.faults.keepCounts();
    if (!response.withdrawn) keepInLog(world, request, response, progress, started);
    return response;
  });
}

/** Writes a request and its answer into the log. */
export function keepInLog(
  world: World,
  request: RequestRecord,
  response: ResponseRecord,
  progress: Progress,
  started: number,
): void {
  world.log.add({
    at: world.clock.now(),
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
    // Everything else that is put there on the answer's way is the same for every answer.
    response_headers: { ...response.headers },
    faults: progress.faults ?? [],
  });
}

function answerUnmatched(
  world: World,
  routes: Routes,
  request: RequestRecord,
  path: string,
  progress: Progress,
): ResponseRecord {
  const { policy, rule } = routes.unmatched(path);
  const response = refused(policy, policy.unmatched(rule), progress);
  if (world.recorder && !["GET", "HEAD"].includes(request.method))
    recordRefusal(world.recorder, undefined, world.clock.now(), request, progress, response);
  return response;
}

function answerMatched(
  world: World,
  match: Match,
  request: RequestRecord,
  path: string,
  progress: Progress,
): ResponseRecord {
  const { policy, operation, name } = match.route;
  try {
    // v1.health: it needs no key, so no request is counted
    if (!operation.keyless) admit(world, policy, request, path, [match.route], progress);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const response = refused(policy, error, progress);
    // Its slot was right when the client took it: it takes another, as if it had asked a moment later.
    if (response.status === 429 && request.waitsForLimit && world.isWrittenByOthers)
      return { ...response, withdrawn: true };
    return recorded(world, match.route, request, progress, response);
  }
  const target = { operation: name, method: request.method, path, keyId: progress.caller?.key.id };
  return perform(world, match, request, target, progress);
}

/** Does what an admitted request asks for, with the faults that strike it on its way. */
export function perform(
  world: World,
  { route, parameters }: Match,
  request: RequestRecord,
  target: FaultTarget,
  progress: Progress,
): ResponseRecord {
  const { policy } = route;
  const done = (response: ResponseRecord, write?: number) =>
    recorded(world, route, request, progress, response, write);
  const faults = world.faults.strikeRequest(target, world.clock.now());
  const strikes = (kind: (typeof faults)[number]["kind"]) => faults.find((fault) => fault.kind === kind);
  const delayMilliseconds = strikes("delay")?.delayMilliseconds;

  if (strikes("error_before")) {
    const error = policy.internalError("public.errors.6", "a fault struck before the effect");
    return done({ ...refused(policy, error, progress), delayMilliseconds });
  }
  if (strikes("drop_before"))
    return done({ status: 500, headers: {}, body: undefined, disturbance: "drop", delayMilliseconds });

  const { response, write } = handle(world, route, parameters, request, target, progress);
  if (world.mirror.isMirror) tellAbsence(world, route, parameters, request, response);
  response.delayMilliseconds = delayMilliseconds;
  if (strikes("error_after")) {
    const error = policy.internalError("public.errors.6", "a fault struck after the effect");
    return done({ ...refused(policy, error, progress), delayMilliseconds }, write);
  }
  if (strikes("drop_after")) response.disturbance = "drop";
  if (strikes("truncate")) response.disturbance = "truncate";
  if (strikes("garbage")) response.body = '{"data": <not JSON';
  return done(response, write);
}

/** A fork keeps what was asked of it: what had an effect was kept with that, and the others are here. */
function recorded(
  { recorder, clock }: World,
  route: Route,
  request: RequestRecord,
  progress: Progress,
  response: ResponseRecord,
  write?: number,
): ResponseRecord {
  if (recorder === undefined) return response;
  if (write !== undefined) {
    if (response.status >= 400) recorder.answered(write, response.status);
  } else if (route.operation.method === "GET") {
    recorder.countRead(route.name, response.status >= 400 ? (progress.code ?? "lost") : undefined);
  } else {
    recordRefusal(recorder, route, clock.now(), request, progress, response);
  }
  return response;
}

function handle(
  world: World,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
  target: FaultTarget,
  progress: Progress,
): { response: ResponseRecord; write?: number | undefined } {
  const { policy, operation } = route;
  const { caller } = progress;
  const { position } = world.ids;
  if (!caller && !operation.keyless) throw new Error("not authenticated");
  try {
    if (caller) policy.permit(caller, operation); // D-order
    const input = inputOf(world, route, parameters, request);
    const now = world.clock.now();
    const base: Context = {
      world,
      database: world.database,
      now,
      operation: route.name,
      requestHeaders: request.headers,
      newId: () => world.ids.next(),
      strikes: (kind) => world.faults.strike(kind, target, now) !== undefined,
    };
    const context = caller ? policy.contextOf(base, caller) : base;
    const recorder = isRecorded(route) ? world.recorder : undefined;
    let kept: number | undefined;
    const run = () => {
      if (!recorder) return route.handler(context, input);
      const { result, write } = runRecorded(recorder, route, context, input, request);
      kept = write;
      return result;
    };
    const write = () => {
      const written = run();
      world.assertInPlace();
      return written;
    };
    const isRead = operation.method === "GET";
    const isAlone = route.handler.byOneStatement && !recorder && world.isCommittedTogether;
    let result: unknown;
    // A read changes nothing: what it needs of a transaction is around the whole request, in a file that others share.
    if (isRead) result = run();
    else if (isAlone) result = world.database.lastly(run);
    else result = world.database.transaction(write);
    // Returned instead of thrown: what was done before the refusal stays.
    if (result instanceof Refusal) return { response: refused(policy, result, progress), write: kept };
    const shown = world.mirror.asMirrored(route.name, result);
    return { response: succeeded(world, route, shown, progress), write: kept };
  } catch (error) {
    // The work was rolled back, with what was kept of it; it used up no id.
    world.ids.returnTo(position);
    return { response: failed(world, policy, error, progress) };
  }
}

/** @throws Refusal for what does not parse */
function inputOf(
  world: World,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
): Input {
  if (world.mirror.isMirror) return readMirroredInput(world, route, parameters, request);
  return readInput(route, parameters, request);
}

/**
 * The input as a copied organization takes it: bounded by no decision that it breaks, and without a field that the
 * contract does not know, since the effect of such a write is not known here (M10).
 * @throws Refusal for what does not parse
 */
function readMirroredInput(
  world: World,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
): Input {
  const { operation, policy } = route;
  const { parameter = policy.parameter } = world.mirror;
  try {
    const taking = world.mirror.taking(operation);
    return readInput({ policy: { ...policy, parameter }, operation: taking }, parameters, request);
  } catch (error) {
    const sent = request.body === undefined ? undefined : parsedJson(request.body);
    const field = world.mirror.unknownField(route.name, sent);
    if (field === undefined) throw error;
    const message = "can't be judged by the copy: the contract does not know this field";
    throw policy.invalid("body", "mirror.unknown-field", [{ path: [field], message }]);
  }
}

/** M9: says that a read asked for what was not copied, or that a write did not find it. */
function tellAbsence(
  world: World,
  { name, operation }: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
  { headers, status }: ResponseRecord,
): void {
  const [id] = Object.values(parameters);
  const isMissed = status === 404 && id !== undefined;
  if (operation.method === "GET" ? status >= 400 && status !== 404 : !isMissed) return;
  const groupId = new URLSearchParams(request.target.split("?")[1] ?? "").get("group_id") ?? undefined;
  const area = world.mirror.absentArea(name, {
    groupId,
    id,
    found: status < 400,
  });
  if (area === undefined) return;
  headers["X-Emulator-Absent"] = area;
  world.mirror.countAbsentRead(area, groupId);
}

function textOf(body: RequestRecord["body"]): string | null {
  if (body === undefined) return null;
  return typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}
