import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import type { Ask, Reply, TestEmulator } from "./test-emulator.js";

/** The protocol revision that a client requires; if undefined, the client negotiates like a 2025 client. */
export type Revision = "2026-07-28" | undefined;

function createClient(revision: Revision): Client {
  const client = new Client(
    { name: "test", version: "1" },
    revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } },
  );
  onTestFinished(() => client.close());
  return client;
}

export async function connectOverHttp(
  emulator: Pick<TestEmulator, "url">,
  key: string,
  revision?: Revision,
): Promise<Client> {
  const client = createClient(revision);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${emulator.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

/**
 * Starts a command with the MCP SDK's client. Returns the client, and a function that returns the stderr so
 * far.
 */
export async function connectOverStdio(
  command: { argv: readonly string[]; env: Record<string, string> },
  revision?: Revision,
): Promise<{ client: Client; stderr: () => string }> {
  const client = createClient(revision);
  const [file = "", ...args] = command.argv;
  const transport = new StdioClientTransport({ command: file, args, env: command.env, stderr: "pipe" });
  let stderrText = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderrText += chunk.toString();
  });
  await client.connect(transport);
  return { client, stderr: () => stderrText };
}

/** Sends one protocol message, like a client in any language. */
export function sendMessage(emulator: TestEmulator, message: unknown, options: Ask = {}): Promise<Reply> {
  return emulator.askHost("POST", "/mcp", {
    body: message,
    ...options,
    headers: { accept: "application/json, text/event-stream", ...options.headers },
  });
}

export function createToolCall(name: string, given: object = {}, id = 1): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } };
}

/** Calls a tool. The reply is the HTTP response; the tool's result is `reply.body.result`. */
export function callTool(
  emulator: TestEmulator,
  name: string,
  given: object = {},
  options: Ask = {},
): Promise<Reply> {
  return sendMessage(emulator, createToolCall(name, given), options);
}

/** Calls a tool that must succeed. Returns the data in its body. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export async function readToolData(emulator: TestEmulator, name: string, given: object = {}): Promise<any> {
  const { body } = await callTool(emulator, name, given);
  if (!body?.result || body.result.isError) throw new Error(JSON.stringify(body));
  return body.result.structuredContent.data;
}
