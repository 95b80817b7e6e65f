/**
 * The operations of the Public API and the distributor APIs as tools of the Model Context Protocol: for the
 * emulator over HTTP, for the command over stdio.
 */

export { requestParts } from "./arguments.js";
export { handleMcpRequest } from "./http.js";
export { createServer, type RunTool, type ToolOutcome } from "./server.js";
export { serveStreams } from "./stdio.js";
export { type ApiTool, apiTools, type ToolApi } from "./tools.js";
