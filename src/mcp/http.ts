import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/**
 * Handles one Streamable HTTP request without a session, in any protocol revision.
 * @param message the parsed body; undefined if the body is not JSON
 */
export async function handleMcpRequest(
  request: Request,
  message: unknown,
  createServer: () => Server,
  maximumBodyBytes: number,
): Promise<Response> {
  // GET and DELETE are for streams and sessions, which this server doesn't have.
  if (request.method !== "POST") {
    return Response.json(
      { jsonrpc: "2.0", error: { code: -32_000, message: "only POST is supported" }, id: null },
      { status: 405, headers: { Allow: "POST" } },
    );
  }
  const limits = { maxRequestBodySize: maximumBodyBytes };
  const parsed = message === undefined ? {} : { parsedBody: message };
  if (await isLegacyRequest(request, message, limits)) {
    // Don't use the SDK's handler, because it would respond to legacy requests with a stream.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, ...limits });
    const server = createServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, parsed);
    } finally {
      await server.close();
    }
  }
  // The handler returns JSON, because the tools send no messages before their result.
  const handler = createMcpHandler(createServer, {
    legacy: "reject",
    // Clients can't subscribe, because the server reports no changes.
    maxSubscriptions: 0,
    ...limits,
  });
  return handler.fetch(request, parsed);
}
