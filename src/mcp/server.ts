import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { stringifyExactJson } from "../base/exact-json.js";
import type { ApiTool } from "./tools.js";

/** A tool's result: the body of the Public API's response, and whether it is an error. */
export interface ToolOutcome {
  isError: boolean;
  body: object;
}

/** Runs a tool with the given arguments. The signal is aborted when its caller disconnects. */
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
  "Results contain data, errors {error: {code, message, details}}; use the code.",
  "Lists have pages: while meta.has_more (distributor tools: meta.hasMore) is true, call again with meta.next_cursor (meta.nextCursor) as cursor.",
  "Don't repeat a change blindly: after internal_error, first check whether the change was made.",
];

function buildInstructions(tools: readonly ApiTool[]): string {
  const isPublic = ({ operation }: ApiTool) => operation.api === "public";
  return [
    ...(tools.some(isPublic) ? [introductions.public] : []),
    ...(tools.every(isPublic) ? [] : [introductions.distributor]),
    ...conduct,
  ].join(" ");
}

/** One server of the protocol, for one connection or one request. */
export function createServer(
  tools: readonly ApiTool[],
  version: string,
  run: RunTool,
  whyMissing: (name: string) => string | undefined = () => undefined,
): Server {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const server = new Server(
    { name: "voxctl", version },
    { capabilities: { tools: {} }, instructions: buildInstructions(tools) },
  );
  server.setRequestHandler("tools/list", ({ params }) => {
    // All tools are on one page, so no cursor was ever issued.
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "invalid cursor: the list has one page");
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

// public.errors.5: a tool's errors are results with the same body, as text and structured.
function toToolResult({ isError, body }: ToolOutcome): CallToolResult {
  return {
    content: [{ type: "text", text: stringifyExactJson(body) }],
    structuredContent: { ...body },
    ...(isError ? { isError } : {}),
  };
}
