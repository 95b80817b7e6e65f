import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/**
 * Handles one request of Streamable HTTP: without a session, with a JSON response, for any revision of the protocol.
 * @param message the parsed body; undefined if it is not JSON, which the response reports
 */
export async function handleMcpRequest(
  request: Request,
  message: unknown,
  createServer: () => Server,
  maximumBodyBytes: number,
): Promise<Response> {
  // The other methods serve streams and sessions.
  if (request.method !== "POST") {
    return Response.json(
      { jsonrpc: "2.0", error: { code: -32_000, message: "only POST is supported" }, id: null },
      { status: 405, headers: { Allow: "POST" } },
    );
  }
  const limits = { maxRequestBodySize: maximumBodyBytes };
  const parsed = message === undefined ? {} : { parsedBody: message };
  if (await isLegacyRequest(request, message, limits)) {
    // The SDK's handler serves these by streaming.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, ...limits });
    const server = createServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, parsed);
    } finally {
      await server.close();
    }
  }
  // The handler returns JSON, because these tools send no messages before their result.
  const handler = createMcpHandler(createServer, {
    legacy: "reject",
    // There are no changes to which clients could subscribe.
    maxSubscriptions: 0,
    ...limits,
  });
  return handler.fetch(request, parsed);
}
