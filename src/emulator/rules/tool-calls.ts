import * as z from "zod";
import type { Operation } from "../../contract/operation.js";
import type { Seen } from "./evidence.js";

/** src/mcp implements this interface. */
export interface Tools {
  find(name: string): { operationName: string; operation: Operation } | undefined;
  partsOf(
    operation: Operation,
    given: Readonly<Record<string, unknown>>,
  ): { query: Record<string, string>; body: unknown };
}

const Id = z.union([z.string(), z.number()]);
const Call = z.object({
  id: Id,
  method: z.literal("tools/call"),
  params: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
});
const Result = z.object({
  id: Id,
  result: z.object({ isError: z.boolean().default(false), structuredContent: z.unknown() }),
});

/**
 * Converts the tool calls in an MCP request to Public API requests.
 * @param responseBody undefined if the logged response is truncated
 * @param logged status of the MCP request, and the API rule that refused it or one of its tool calls
 */
export function findToolCalls(
  requestBody: unknown,
  responseBody: unknown,
  logged: { status: number; rule: string | null },
  tools: Tools,
): Seen[] {
  // If the HTTP request was refused, no tool ran.
  if (logged.status >= 400) return [];
  const results = new Map(
    toList(responseBody).flatMap((message) => {
      const result = Result.safeParse(message);
      return result.success ? [[result.data.id, result.data.result] as const] : [];
    }),
  );
  return toList(requestBody).flatMap((message) => {
    const call = Call.safeParse(message);
    const tool = call.success ? tools.find(call.data.params.name) : undefined;
    if (!call.success || !tool) return [];
    const result = results.get(call.data.id);
    const isError = result?.isError ?? logged.rule !== null;
    const { query, body } = tools.partsOf(tool.operation, call.data.params.arguments);
    return {
      operation: tool.operationName,
      api: undefined,
      tool: call.data.params.name,
      method: tool.operation.method,
      // The result of a tool contains no status, so any error counts as 400.
      status: isError ? 400 : tool.operation.success,
      rule: isError ? logged.rule : null,
      query: new URLSearchParams(query),
      request: body,
      response: result?.structuredContent,
    };
  });
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
