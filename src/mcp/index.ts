/**
 * Serves the operations of the Public API and the distributor APIs as tools of the Model Context Protocol.
 * The emulator serves them over HTTP, and `voxctl mcp` serves them over stdio.
 */

export { requestParts } from "./arguments.js";
export { handleMcpRequest } from "./http.js";
export { createServer, type RunTool, type ToolOutcome } from "./server.js";
export { serveStreams } from "./stdio.js";
export { type ApiTool, apiTools, type ToolApi } from "./tools.js";
