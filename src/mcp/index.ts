/** The Public API's operations, and those of the distributor interfaces, as tools of the Model Context Protocol: for the emulator over HTTP, for the command over stdio. */

export { requestParts } from "./arguments.js";
export { answerHttp } from "./http.js";
export { createServer, type RunTool, type ToolOutcome } from "./server.js";
export { serveStreams } from "./stdio.js";
export { type ApiTool, apiTools, type ToolSurface } from "./tools.js";
