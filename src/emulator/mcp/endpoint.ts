import * as z from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { monotonicMilliseconds } from "../../base/clock.js";
import { operations } from "../../contract/contract.js";
import { surfaces } from "../../contract/surfaces.js";
import type { ApiTool, RunTool, ToolOutcome } from "../../mcp/index.js";
import { admit } from "../admission.js";
import { refused } from "../envelope.js";
import { isNestedWithin, lengthOf, maximumBodyBytes, parsedJson } from "../input.js";
import type { FaultTarget } from "../kernel/faults.js";
import { mcpPath } from "../paths.js";
import { keepInLog, perform } from "../pipeline.js";
import type { Caller, Progress } from "../policy.js";
import { publicPolicy } from "../public/surface.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import { invalid, Refusal } from "../refusal.js";
import type { Routes } from "../routes.js";
import type { Respond } from "../transport.js";
import { BoundedDetails } from "../validation.js";
import type { World } from "../world.js";
import { createMcpPolicy } from "./policy.js";

/** Far more than a tool's arguments may have (D-nesting); the protocol's own parser goes down level by level. */
const maximumMessageNesting = 1_000;

const ToolCall = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

/** The effect of the faults that struck its tools on the answer on its way. */
type Effects = Pick<ResponseRecord, "disturbance" | "delayMilliseconds"> & {
  /** Sent in place of the answer. */
  garbage?: string | undefined;
};

/**
 * The MCP surface of a world (D-mcp): who asks and whether there is room is judged before the protocol, by HTTP; the
 * tools run as requests of the Public API do, in one transaction each. A request of the protocol is one of the log.
 */
export async function createMcpEndpoint(world: World, routes: Routes): Promise<Respond> {
  const { answerHttp, apiTools, createServer, requestParts } = await import("../../mcp/index.js");
  const tools = apiTools();
  const toolOf = new Map(tools.map((tool) => [tool.name, tool]));
  const permissions = new Set(
    Object.values(operations).flatMap(({ surface, permission }) =>
      surface === "public" && permission !== null ? [permission] : [],
    ),
  );
  const policy = createMcpPolicy(permissions);

  async function inTurn<T>(progress: Progress, work: () => T): Promise<T> {
    while (world.busy) await world.busy;
    return world.inRequest(() => {
      const result = work();
      progress.faults = [...(progress.faults ?? []), ...world.faults.keepCounts()];
      return result;
    });
  }

  /** Everything before a tool runs. @throws Refusal, all of which are HTTP errors (public.errors.5) */
  function enter(
    request: RequestRecord,
    message: unknown,
    called: readonly ApiTool[],
    progress: Progress,
  ): Caller {
    // D-mcp: only `tools/call` is limited.
    const asked = called.map(({ operationName: name, operation }) => ({ name, operation }));
    const caller = admit(world, policy, request, mcpPath, asked, progress);
    if (isNestedWithin(message, maximumMessageNesting)) return caller;
    throw invalid("D-nesting", [{ path: [], message: "must not be nested so deep" }]);
  }

  async function run(
    tool: ApiTool,
    given: Readonly<Record<string, unknown>>,
    caller: Caller,
    progress: Progress,
    effects: Effects,
  ): Promise<ToolOutcome> {
    const { parts, problems } = requestParts(tool.operation, given);
    const route = await routes.named(tool.operationName);
    const asked = requestOf(tool, parts);
    const record = await inTurn(progress, () => {
      try {
        publicPolicy.permit(caller, tool.operation);
        const [first] = problems;
        if (first) {
          const details = new BoundedDetails();
          for (const { path, message } of problems) details.add(() => [path, message]);
          throw invalid(first.kind === "unknown" ? "D-strict" : "public.errors.1", details.list());
        }
      } catch (error) {
        if (error instanceof Refusal) return refused(publicPolicy, error, progress);
        throw error;
      }
      const parameters = encoded(parts.path);
      return perform(world, { route, parameters }, asked, targetOf(tool, caller), progress);
    });
    effects.disturbance ??= record.disturbance;
    if (record.delayMilliseconds !== undefined)
      effects.delayMilliseconds = (effects.delayMilliseconds ?? 0) + record.delayMilliseconds;
    const body = objectOf(record.body);
    if (!body) effects.garbage = String(record.body ?? "");
    return { isError: record.status >= 400, body: body ?? {} };
  }

  async function serve(
    request: RequestRecord,
    message: unknown,
    caller: Caller,
    progress: Progress,
  ): Promise<ResponseRecord> {
    const effects: Effects = {};
    const runTool: RunTool = (tool, given) => run(tool, given, caller, progress, effects);
    const answer = await answerHttp(
      webRequest(request),
      message,
      () => createServer(tools, packageJson.version, runTool),
      maximumBodyBytes,
    );
    if (answer.status >= 400) progress.rule ??= "D-mcp";
    const text = await answer.text();
    return {
      status: answer.status,
      headers: {
        ...Object.fromEntries(answer.headers),
        ...progress.limitHeaders,
        ...(progress.rule === undefined ? {} : { "X-Emulator-Rule": progress.rule }),
      },
      body: effects.garbage ?? (text === "" ? undefined : text),
      disturbance: effects.disturbance,
      delayMilliseconds: effects.delayMilliseconds,
    };
  }

  return async (request) => {
    const started = monotonicMilliseconds();
    const progress: Progress = { limitHeaders: {} };
    const message = messageOf(request);
    const called = (Array.isArray(message) ? message : [message]).flatMap((one) => {
      const call = ToolCall.safeParse(one);
      return (call.success && toolOf.get(call.data.params.name)) || [];
    });
    const admitted = await inTurn(progress, () => {
      try {
        return enter(request, message, called, progress);
      } catch (error) {
        // Told, not thrown: what was counted stays.
        if (error instanceof Refusal) return error;
        throw error;
      }
    });
    const response =
      admitted instanceof Refusal
        ? refused(publicPolicy, admitted, progress)
        : await serve(request, message, admitted, progress);
    await inTurn(progress, () => keepInLog(world, request, withoutTexts(response), progress, started));
    return response;
  };
}

function targetOf(tool: ApiTool, caller: Caller): FaultTarget {
  return { operation: tool.operationName, method: "POST", path: mcpPath, keyId: caller.key.id };
}

/** The request of the Public API that a tool's arguments stand for. */
function requestOf(
  { operation }: ApiTool,
  { query, body }: { query: Record<string, string>; body: object | undefined },
): RequestRecord {
  return {
    method: operation.method,
    // The route is known: of the address only the query is read.
    target: `${surfaces.public.basePath}${operation.path}?${new URLSearchParams(query)}`,
    headers: { "content-type": "application/json" },
    body: body && JSON.stringify(body),
  };
}

function encoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]));
}

/** Any method but POST is refused alike; of some the web's standard makes no request. */
function webRequest({ method, target, headers, body }: RequestRecord): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies [string, string]],
  );
  return new Request(`http://emulator.localhost${target}`, {
    headers: given,
    ...(method === "POST" ? { method, body: Buffer.from(body ?? "") } : {}),
  });
}

/** The parsed body; undefined for what is not JSON, or too long (D-body). */
function messageOf({ body }: RequestRecord): unknown {
  return body === undefined || lengthOf(body) > maximumBodyBytes ? undefined : parsedJson(body);
}

function objectOf(body: ResponseRecord["body"]): object | undefined {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** For the log, which masks secrets by their fields' names: without the copy of a result that is a text. */
function withoutTexts(response: ResponseRecord): ResponseRecord {
  if (typeof response.body !== "string" || !response.body.includes('"structuredContent"')) return response;
  const body = JSON.stringify(JSON.parse(response.body), (name, value) =>
    name === "content" && Array.isArray(value) ? undefined : value,
  );
  return { ...response, body };
}
