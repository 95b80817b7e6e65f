import { wireOperations } from "../contract/wire.js";
import { createRoutes } from "./routes.js";

/** Modules that a first request loads, the lightest first. */
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
 * Loads all modules that requests may need, one by one, so that requests are handled in between. A fully loaded server
 * keeps working when another voxctl is installed over it, and no first request waits for a module.
 * @param signal stops it after the current module
 */
export async function preload(signal: AbortSignal): Promise<void> {
  const routes = createRoutes();
  const operations = Object.keys(wireOperations).map((name) => () => routes.named(name));
  for (const load of [...operations, ...parts]) {
    if (signal.aborted) return;
    await load();
  }
}
