import { monotonicMilliseconds } from "../base/clock.js";
import { ObjectId } from "../contract/primitives.js";
import { BinaryAnswer, type KeylessContext, type Page } from "./context.js";
import { UnusableFileError } from "./database/schema.js";
import { damagedError, isDamage } from "./database/trouble.js";
import { encodeCursor } from "./kernel/cursor.js";
import type { FaultTarget } from "./kernel/faults.js";
import { decodedSegment, pathOf } from "./paths.js";
import type { Caller, SurfacePolicy } from "./policy.js";
import type { RequestRecord, ResponseRecord } from "./records.js";
import { Refusal } from "./refusal.js";
import type { Match, Route, Routes } from "./routes.js";
import { parseWith, queryValues } from "./validation.js";
import type { World } from "./world.js";

/** D-body */
export const maximumBodyBytes = 1_048_576;

/** What is known of a request so far: for its answer's headers and for the log. */
export interface Progress {
  caller?: Caller;
  /** Headers that the limiter gave the answer, once it let the request pass or refused it itself. */
  limitHeaders: Record<string, string>;
  code?: string;
  rule?: string;
}

/**
 * Answers one request of the service's own surfaces, in the order of D-order: match → authenticate → gate → limit →
 * permit → path → query and body → existence, state and effect in the handler → envelope.
 */
export function answerRequest(world: World, routes: Routes, request: RequestRecord): ResponseRecord {
  const started = monotonicMilliseconds();
  return world.inRequest(() => {
    const path = pathOf(request.target);
    const progress: Progress = { limitHeaders: {} };
    const match = routes.match(request.method, path);
    const response = match
      ? answerMatched(world, match, request, path, progress)
      : answerUnmatched(routes, path, progress);
    // Not in the handler's transaction: a fault that made it roll back is used up all the same.
    world.faults.keepCounts();
    keepInLog(world, request, response, progress, started);
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
    response_body: typeof response.body === "string" ? response.body : null,
  });
}

function answerUnmatched(routes: Routes, path: string, progress: Progress): ResponseRecord {
  const { policy, rule } = routes.unmatched(path);
  return refused(policy, policy.unmatched(rule), progress);
}

function answerMatched(
  world: World,
  match: Match,
  request: RequestRecord,
  path: string,
  progress: Progress,
): ResponseRecord {
  let target: FaultTarget;
  try {
    target = admit(world, match.route, request, path, progress);
  } catch (error) {
    if (error instanceof Refusal) return refused(match.route.policy, error, progress);
    throw error;
  }
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
  const faults = world.faults.strikeRequest(target, world.clock.now());
  const strikes = (kind: (typeof faults)[number]["kind"]) => faults.find((fault) => fault.kind === kind);
  const delayMilliseconds = strikes("delay")?.delayMilliseconds;

  if (strikes("error_before")) {
    const error = policy.internalError("public.errors.6", "a fault struck before the effect");
    return { ...refused(policy, error, progress), delayMilliseconds };
  }
  if (strikes("drop_before"))
    return { status: 500, headers: {}, body: undefined, disturbance: "drop", delayMilliseconds };

  const response = handle(world, route, parameters, request, target, progress);
  response.delayMilliseconds = delayMilliseconds;
  if (strikes("error_after")) {
    const error = policy.internalError("public.errors.6", "a fault struck after the effect");
    return { ...refused(policy, error, progress), delayMilliseconds };
  }
  if (strikes("drop_after")) response.disturbance = "drop";
  if (strikes("truncate")) response.disturbance = "truncate";
  if (strikes("garbage")) response.body = '{"data": <not JSON';
  return response;
}

/** Everything before the request's own content: who asks, may they, is there room. */
function admit(
  world: World,
  route: Route,
  request: RequestRecord,
  path: string,
  progress: Progress,
): FaultTarget {
  const { policy, operation } = route;
  const now = world.clock.now();
  // v1.health: nobody asks, so nobody is counted
  if (operation.keyless) return { operation: route.name, method: request.method, path, keyId: undefined };
  const caller = policy.authenticate(world, request.headers["authorization"], now);
  progress.caller = caller;
  policy.gate(caller, operation);

  const target = { operation: route.name, method: request.method, path, keyId: caller.key.id };
  const bucket = policy.bucketOf(operation);
  if (bucket !== null) {
    if (world.faults.strike("limiter_down", target, now)) throw policy.limiterDown();
    const state = world.limiter.take(caller.key.id, bucket, now, caller.key.limits);
    progress.limitHeaders = policy.limitHeaders(state, now);
    if (!state.allowed) throw policy.exhausted(state, now);
  }
  return target;
}

function handle(
  world: World,
  route: Route,
  parameters: Record<string, string>,
  request: RequestRecord,
  target: FaultTarget,
  progress: Progress,
): ResponseRecord {
  const { policy, operation } = route;
  const { caller } = progress;
  if (!caller && !operation.keyless) throw new Error("not authenticated");
  try {
    if (caller) policy.permit(caller, operation);
    const input = {
      path: parsePath(route, parameters),
      query: parseQuery(route, request.target),
      body: parseBody(route, request),
    };
    const now = world.clock.now();
    const base: KeylessContext = {
      world,
      database: world.database,
      now,
      operation: route.name,
      requestHeaders: request.headers,
      newId: () => world.ids.next(),
      strikes: (kind) => world.faults.strike(kind, target, now) !== undefined,
    };
    const context = caller ? policy.contextOf({ ...base, key: caller.key }, caller) : base;
    const run = () => route.handler(context, input);
    const write = () => {
      const written = run();
      // What is committed together with others is judged then.
      if (!world.group.current) world.options.assertInPlace();
      return written;
    };
    const isRead = operation.method === "GET";
    // A read changes nothing: where the process owns the file, it needs no transaction.
    const result = isRead && world.options.owned ? run() : world.database.transaction(isRead ? run : write);
    // Returned instead of thrown: what was done before the refusal stays.
    if (result instanceof Refusal) return refused(policy, result, progress);
    return succeeded(world, route, context, caller, result, progress);
  } catch (error) {
    if (error instanceof Refusal) return refused(policy, error, progress);
    return broken(world, policy, error, progress);
  }
}

/** The answer, in its surface's envelope, to a request that something outside the rules kept from being answered. */
export function failed(world: World, routes: Routes, request: RequestRecord, error: unknown): ResponseRecord {
  return broken(world, routes.unmatched(pathOf(request.target)).policy, error, { limitHeaders: {} });
}

function broken(world: World, policy: SurfacePolicy, error: unknown, progress: Progress): ResponseRecord {
  const unusable = isDamage(error) ? damagedError(world.options.path, error) : error;
  const reason = policy.internalError("public.errors.6", troubleOf(unusable));
  const response = refused(policy, reason, progress);
  if (unusable instanceof UnusableFileError) response.unusable = unusable;
  return response;
}

/** Whose fault it is that there is no answer: the machine's, or ours. */
function troubleOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UnusableFileError) return message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_MODULE_NOT_FOUND")
    return `a part of voxctl is gone, as after another was installed in its place; start the emulator anew: ${message}`;
  if (/disk is full|disk I\/O|readonly database|database is locked/.test(message))
    return `the world's file can't be used: ${message}`;
  return `a defect of the emulator: ${message}`;
}

function parsePath(route: Route, parameters: Record<string, string>): Record<string, string> {
  const parsed: Record<string, string> = {};
  for (const [name, encoded] of Object.entries(parameters)) {
    const value = decodedSegment(encoded);
    const result = parseWith(route.operation.parameters?.[name] ?? ObjectId, value);
    if (!result.ok) {
      const details = result.problems.details.map((detail) => ({ ...detail, path: [name] }));
      throw route.policy.invalid("path", result.problems.rule, details);
    }
    parsed[name] = value;
  }
  return parsed;
}

function parseQuery(route: Route, target: string): unknown {
  if (!route.operation.query) return {};
  const mark = target.indexOf("?");
  const query = mark < 0 ? {} : queryValues(route.operation.query, target.slice(mark + 1));
  const result = parseWith(route.operation.query, query);
  if (!result.ok) throw route.policy.invalid("query", result.problems.rule, result.problems.details);
  return result.value;
}

/** D-nesting. What is nested far deeper can be read but not written again: JSON.stringify goes down level by level. */
const maximumNesting = 500;

/** Does a value hold at most so many levels of objects and arrays, itself the first? */
export function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  for (const inner of Object.values(value)) if (!isNestedWithin(inner, levels - 1)) return false;
  return true;
}

function parseBody(route: Route, request: RequestRecord): unknown {
  if (!route.operation.body) return {};
  const refuse = (message: string, rule = "D-body") =>
    route.policy.invalid("body", rule, [{ path: [], message }]);
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw refuse("send the body as application/json");
  const { body } = request;
  if (body === undefined || body.length === 0) throw refuse("a JSON object is required as the body");
  if ((typeof body === "string" ? Buffer.byteLength(body) : body.length) > maximumBodyBytes) {
    throw refuse("the body must be at most 1 MiB");
  }
  let value: unknown;
  try {
    value = JSON.parse(
      typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body),
    );
  } catch {
    throw refuse("the body is no JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse("the body must be a JSON object");
  if (!isNestedWithin(value, maximumNesting))
    throw refuse(`the body must be nested at most ${maximumNesting} levels deep`, "D-nesting");
  const result = parseWith(route.operation.body, value);
  if (!result.ok) throw route.policy.invalid("body", result.problems.rule, result.problems.details);
  return result.value;
}

function succeeded(
  world: World,
  route: Route,
  context: KeylessContext,
  caller: Caller | undefined,
  result: unknown,
  progress: Progress,
): ResponseRecord {
  const { operation, policy } = route;
  if (result instanceof BinaryAnswer) {
    return {
      status: result.status,
      headers: { ...result.headers, ...progress.limitHeaders },
      body: result.bytes,
    };
  }
  return {
    status: operation.success,
    headers: { "Content-Type": "application/json; charset=utf-8", ...progress.limitHeaders },
    body: JSON.stringify(wrapped(world, route, context, caller, policy, result)),
  };
}

function wrapped(
  world: World,
  route: Route,
  context: KeylessContext,
  caller: Caller | undefined,
  policy: SurfacePolicy,
  result: unknown,
): unknown {
  const { operation } = route;
  const { envelope, meta } = policy.surface;
  const wrap = (data: unknown) => (envelope === "data" ? { data } : { status: "success", data });
  switch (operation.answer) {
    case "bare":
      return result;
    case "empty":
      // D-empty, D-v2-delete
      return wrap({});
    case "page": {
      // The types of Handlers hold a list's handler to this.
      const page = result as Page;
      const owner = caller?.organization?.id ?? caller?.distributorId ?? "";
      const scope = { operation: context.operation, owner, filters: page.filters };
      const cursor = page.next && encodeCursor(world.cursorKey, scope, page.next);
      return { ...wrap(page.rows), meta: { [meta.hasMore]: cursor !== null, [meta.nextCursor]: cursor } };
    }
    default:
      return wrap(result);
  }
}

/** The answer that a refusal becomes. */
export function refused(policy: SurfacePolicy, refusal: Refusal, progress: Progress): ResponseRecord {
  progress.code = refusal.code;
  progress.rule = refusal.rule;
  return {
    status: policy.statusOf(refusal),
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "X-Emulator-Rule": refusal.rule,
      ...progress.limitHeaders,
      ...refusal.headers,
    },
    body: JSON.stringify(policy.errorBody(refusal)),
  };
}

function textOf(body: RequestRecord["body"]): string | null {
  if (body === undefined) return null;
  return typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}
