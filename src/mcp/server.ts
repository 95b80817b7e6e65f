import {
  type CallToolResult,
  isSpecType,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { stringifyExactJson } from "../base/exact-json.js";
import type { ApiTool } from "./tools.js";

export interface ToolOutcome {
  isError: boolean;
  body: object;
}

/** The signal is aborted when the client disconnects. */
export type RunTool = (
  tool: ApiTool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<ToolOutcome>;

const introductions = {
  public:
    "The Public API of a voice-assistant service: contacts, groups, assistants, knowledge, calls and statistics.",
  distributor:
    "The distributor API of a voice-assistant service: MSPs, their customers and licenses, usage and billing (tools distributor_…).",
};
const conduct = [
  "A result contains data; an error is {error: {code, message, details}}. Check the code.",
  "Lists are paginated. While meta.has_more (distributor tools: meta.hasMore) is true, call the tool again with meta.next_cursor (meta.nextCursor) as cursor.",
  "Don't repeat a change blindly. After internal_error, first check whether the change was made.",
];

function buildInstructions(tools: readonly ApiTool[]): string {
  const isPublic = ({ operation }: ApiTool) => operation.api === "public";
  return [
    ...(tools.some(isPublic) ? [introductions.public] : []),
    ...(tools.every(isPublic) ? [] : [introductions.distributor]),
    ...conduct,
  ].join(" ");
}

/** For each method with params, a check of the request and an error message. */
const checks: Readonly<Record<string, { isValid: (request: unknown) => boolean; message: string }>> = {
  initialize: {
    isValid: isSpecType.InitializeRequest,
    message:
      "invalid params: expected protocolVersion, capabilities, and a clientInfo with a name and a version",
  },
  "tools/list": {
    isValid: isSpecType.ListToolsRequest,
    message: "invalid params: expected an object; cursor is optional and must be text",
  },
  "tools/call": {
    isValid: isSpecType.CallToolRequest,
    message: "invalid params: expected the tool's name as text; arguments are optional and must be an object",
  },
};

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Checks requests before the SDK does, because the SDK's error message is a list of schema issues. */
class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const handle = super._wrapHandler(method, handler);
    const check = checks[method];
    if (check === undefined) return handle;
    return async (request, context) => {
      if (!check.isValid(request)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, check.message);
      return handle(request, context);
    };
  }
}

export function createServer(
  tools: readonly ApiTool[],
  version: string,
  run: RunTool,
  whyMissing: (name: string) => string | undefined = () => undefined,
): Server {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const server = new CheckedServer(
    { name: "voxctl", version },
    { capabilities: { tools: {} }, instructions: buildInstructions(tools) },
  );
  server.setRequestHandler("tools/list", ({ params }) => {
    // All tools are on one page, so no cursor is valid.
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "invalid cursor: the list has only one page");
    return { tools: tools.map((tool) => tool.definition) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = byName.get(params.name);
    if (!tool) {
      const reason = whyMissing(params.name) ?? `unknown tool ${params.name}`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, reason);
    }
    return toToolResult(await run(tool, params.arguments ?? {}, context.mcpReq.signal));
  });
  return server;
}

// An API error is also a result, with `isError`. Every result contains the body as text and as structured
// content (public.errors.5).
function toToolResult({ isError, body }: ToolOutcome): CallToolResult {
  return {
    content: [{ type: "text", text: stringifyExactJson(body) }],
    structuredContent: { ...body },
    ...(isError ? { isError } : {}),
  };
}
