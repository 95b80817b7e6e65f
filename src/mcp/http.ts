import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/**
 * Answers one request of Streamable HTTP: without a session, always JSON, whatever revision of the protocol its
 * client speaks.
 * @param message the parsed body; undefined where it is not JSON, so that the answer says so
 */
export async function handleMcpRequest(
  request: Request,
  message: unknown,
  createServer: () => Server,
  maximumBodyBytes: number,
): Promise<Response> {
  // Streams and sessions are what the other methods are for.
  if (request.method !== "POST") {
    return Response.json(
      { jsonrpc: "2.0", error: { code: -32_000, message: "only POST is served here" }, id: null },
      { status: 405, headers: { Allow: "POST" } },
    );
  }
  const limits = { maxRequestBodySize: maximumBodyBytes };
  const parsed = message === undefined ? {} : { parsedBody: message };
  if (await isLegacyRequest(request, message, limits)) {
    // The handler's own way of serving them streams.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, ...limits });
    const server = createServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, parsed);
    } finally {
      await server.close();
    }
  }
  // Answers JSON where a tool tells nothing before its result, and ours tell nothing.
  const handler = createMcpHandler(createServer, {
    legacy: "reject",
    // Nothing here changes by itself that could be told.
    maxSubscriptions: 0,
    ...limits,
  });
  return handler.fetch(request, parsed);
}
