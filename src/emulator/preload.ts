import { wireOperations } from "../contract/wire.js";
import { createRoutes } from "./routes.js";

/** Modules that the first requests load, smallest first. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import("./control/control.js"),
  () => import("./server/page/ui.js"),
  () => import("./rules/catalogue.js"),
  () => import("./rules/coverage.js"),
  () => import("../contract/contract.js"),
  () => import("./mcp/endpoint.js"),
  () => import("../mcp/index.js"),
  () => import("../mcp/tools.js"),
  () => import("../mcp/arguments.js"),
  () => import("../openapi/index.js"),
  () => import("yaml"),
];

/**
 * Loads all modules that requests may need, one by one, so that requests can be handled in between. When everything is loaded, no request
 * waits for a module, and the server keeps working if another version of voxctl is installed over this one. @param signal stops loading
 * after the current module
 */
export async function preload(signal: AbortSignal): Promise<void> {
  const routes = createRoutes();
  const operations = Object.keys(wireOperations).map((name) => () => routes.named(name));
  for (const load of [...operations, ...parts]) {
    if (signal.aborted) return;
    await load();
  }
}
