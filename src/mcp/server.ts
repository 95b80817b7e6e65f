import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
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
