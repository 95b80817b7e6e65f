import * as z from "zod";
import type { Operation } from "../../contract/operation.js";
import type { Seen } from "./evidence.js";

/** The tools by name, and how their arguments are sorted: `src/mcp` knows. */
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
 * The calls of tools in one request of the protocol, each as the request to the Public API that it stands for.
 * @param responseBody undefined where the answer was too long for the log
 * @param logged of the whole request: its status, and the rule that refused it or a tool in it
 */
export function findToolCalls(
  requestBody: unknown,
  responseBody: unknown,
  logged: { status: number; rule: string | null },
  tools: Tools,
): Seen[] {
  // Refused before the protocol: no tool was called.
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
      // Which error it was, the rule says.
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
