import * as z from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { monotonicMilliseconds } from "../../base/clock.js";
import { parseJsonSafely } from "../../base/json.js";
import { findExcess, type StructureBounds } from "../../base/json-structure.js";
import { apis } from "../../contract/apis.js";
import { operations } from "../../contract/contract.js";
import type { ApiTool, RunTool, ToolOutcome } from "../../mcp/index.js";
import type { EmulatorState } from "../emulator-state.js";
import { toRefusalResponse } from "../envelope.js";
import { bodyBounds, countBytes, decodeText, maximumBodyBytes } from "../input.js";
import { mcpPath } from "../paths.js";
import type { Caller, Progress } from "../policy.js";
import { publicPolicy } from "../public/policy.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import { invalid, Refusal } from "../refusal.js";
import { admitCaller } from "../request/admit.js";
import { createExchange } from "../request/exchange.js";
import { countRequest } from "../request/limit.js";
import { logRequest } from "../request/log.js";
import { createOperationHandler } from "../request/stages.js";
import type { Routes } from "../routes.js";
import type { Respond } from "../transport.js";
import { BoundedDetails } from "../validation.js";
import { createMcpPolicy } from "./policy.js";

/** Maximum length of a batch's results, in characters. After it is exceeded, no further tool runs (D-mcp). */
const longestBatch = 256 * 1024;

/** Maximum length of a logged response with tool results, in characters. */
const longestLogged = 256 * 1024;

/**
 * Maximum nesting of a message. It protects the protocol's recursive parser, and is far above the limit for a
 * tool's arguments (D-nesting).
 */
const maximumMessageNesting = 1_000;

/** Maximum number of messages in a request (D-mcp). */
const maximumMessages = 50;

const ToolCall = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

type Effects = Pick<ResponseRecord, "disturbance" | "delayMilliseconds"> & {
  garbage?: string | undefined;
  /** Length of the results so far, in characters. */
  responseLength: number;
};

/**
 * Checks authentication and limits once for the HTTP request; each tool then runs like a Public API request,
 * in its own transaction (D-mcp).
 */
export async function createMcpEndpoint(state: EmulatorState, routes: Routes): Promise<Respond> {
  const { handleMcpRequest, apiTools, createServer, requestParts } = await import("../../mcp/index.js");
  const tools = apiTools();
  const toolOf = new Map(tools.map((tool) => [tool.name, tool]));
  const permissions = new Set(
    Object.values(operations).flatMap(({ api, permission }) =>
      api === "public" && permission !== null ? [permission] : [],
    ),
  );
  const policy = createMcpPolicy(permissions);
  const respondToOperation = createOperationHandler(state);

  async function inTurn<T>(progress: Progress, work: () => T): Promise<T> {
    while (state.busy) await state.busy;
    return state.inRequest(() => {
      const result = work();
      progress.faults = [...(progress.faults ?? []), ...state.faults.keepCounts()];
      return result;
    });
  }

  /** @throws Refusal, which always becomes an HTTP error (public.errors.5) */
  function enter(request: RequestRecord, progress: Progress): { caller: Caller; message: unknown } {
    admitCaller(state, policy, request, [], progress);
    const refuse = (rule: string, text: string) => invalid(rule, [{ path: [], message: text }]);
    const { message, excess } = parseMessage(request);
    const called = (Array.isArray(message) ? message.slice(0, maximumMessages) : [message]).flatMap(
      (part) => {
        const call = ToolCall.safeParse(part);
        return (call.success && toolOf.get(call.data.params.name)) || [];
      },
    );
    // Only `tools/call` is rate-limited (D-mcp).
    const requestedOperations = called.map(({ operationName: name, operation }) => ({ name, operation }));
    const requested = requestedOperations.map(({ operation }) => operation);
    const caller = admitCaller(state, policy, request, requested, progress);
    const target = { method: request.method, path: mcpPath };
    countRequest(state, policy, caller, requestedOperations, target, progress);
    if (Array.isArray(message) && message.length > maximumMessages)
      throw refuse("D-mcp", `must contain at most ${maximumMessages} messages`);
    if (excess === "values") throw refuse("D-values", "must contain at most 5,000 values");
    if (excess === "nesting") throw refuse("D-nesting", "is nested too deeply");
    return { caller, message };
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
    const apiRequest = toApiRequest(tool, parts);
    const record = await inTurn(progress, () => {
      try {
        publicPolicy.permit(caller, tool.operation);
        if (effects.responseLength > longestBatch)
          throw invalid("D-mcp", [
            {
              path: [],
              message: "the results of this batch are too long; send this tool call in a separate request",
            },
          ]);
        const [first] = problems;
        if (first) {
          const details = new BoundedDetails();
          for (const { path, message } of problems) details.add(() => [path, message]);
          throw invalid(first.type === "unknown" ? "D-strict" : "public.errors.1", details.list());
        }
      } catch (error) {
        if (error instanceof Refusal) return toRefusalResponse(publicPolicy, error, progress);
        throw error;
      }
      const exchange = createExchange(state, apiRequest, progress, { method: "POST", path: mcpPath });
      exchange.route = route;
      exchange.parameters = encodeValues(parts.path);
      return respondToOperation(exchange);
    });
    effects.disturbance ??= record.disturbance;
    if (record.delayMilliseconds !== undefined)
      effects.delayMilliseconds = (effects.delayMilliseconds ?? 0) + record.delayMilliseconds;
    if (typeof record.body === "string") effects.responseLength += record.body.length;
    const body = parseObject(record.body);
    if (!body) effects.garbage = String(record.body ?? "");
    return { isError: record.status >= 400, body: body ?? {} };
  }

  async function serve(
    request: RequestRecord,
    message: unknown,
    caller: Caller,
    progress: Progress,
  ): Promise<ResponseRecord> {
    const effects: Effects = { responseLength: 0 };
    // Run the tools of a batch one by one, so that other requests can run in between.
    let before: Promise<unknown> = Promise.resolve();
    const runTool: RunTool = (tool, given) => {
      const outcome = before.then(async () => {
        if (Array.isArray(message)) await new Promise((resolve) => setImmediate(resolve));
        return run(tool, given, caller, progress, effects);
      });
      before = outcome.catch(() => undefined);
      return outcome;
    };
    const response = await handleMcpRequest(
      toWebRequest(request),
      message,
      () => createServer(tools, packageJson.version, runTool),
      maximumBodyBytes,
    );
    if (response.status >= 400) progress.rule ??= "D-mcp";
    const text = await response.text();
    return {
      status: response.status,
      headers: {
        ...Object.fromEntries(response.headers),
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
    const admitted = await inTurn(progress, () => {
      try {
        return enter(request, progress);
      } catch (error) {
        // Return the refusal instead of throwing it, so that the request stays counted.
        if (error instanceof Refusal) return error;
        throw error;
      }
    });
    const response =
      admitted instanceof Refusal
        ? toRefusalResponse(publicPolicy, admitted, progress)
        : await serve(request, admitted.message, admitted.caller, progress);
    await inTurn(progress, () => logRequest(state, request, omitTextContent(response), progress, started));
    return response;
  };
}

function toApiRequest(
  { operation }: ApiTool,
  { query, body }: { query: Record<string, string>; body: object | undefined },
): RequestRecord {
  return {
    method: operation.method,
    // The route is already known, so the handler reads only the query of this URL.
    target: `${apis.public.basePath}${operation.path}?${new URLSearchParams(query)}`,
    headers: { "content-type": "application/json" },
    body: body && JSON.stringify(body),
  };
}

function encodeValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]));
}

/** Every method except POST becomes GET, because the endpoint accepts only POST. */
function toWebRequest({ method, target, headers, body }: RequestRecord): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies [string, string]],
  );
  return new Request(`http://emulator.localhost${target}`, {
    headers: given,
    ...(method === "POST" ? { method, body: Buffer.from(body ?? "") } : {}),
  });
}

interface Message {
  /** The parsed body; undefined if the body is too long (D-body), exceeds another limit or is not JSON. */
  message: unknown;
  excess?: keyof StructureBounds | undefined;
}

function parseMessage({ body }: RequestRecord): Message {
  if (body === undefined || countBytes(body) > maximumBodyBytes) return { message: undefined };
  const text = decodeText(body);
  if (text === undefined) return { message: undefined };
  const excess = findExcess(text, { ...bodyBounds, nesting: maximumMessageNesting });
  return { message: excess === undefined ? parseJsonSafely(text) : undefined, excess };
}

function parseObject(body: ResponseRecord["body"]): object | undefined {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Omits the text copy of each result, because the log masks secrets only in fields. */
function omitTextContent(response: ResponseRecord): ResponseRecord {
  if (typeof response.body !== "string" || !response.body.includes('"structuredContent"')) return response;
  if (response.body.length > longestLogged)
    return { ...response, body: `(${response.body.length} characters)` };
  const body = JSON.stringify(JSON.parse(response.body), (name, value) =>
    name === "content" && Array.isArray(value) ? undefined : value,
  );
  return { ...response, body };
}
