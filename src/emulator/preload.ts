import { wireOperations } from "../contract/wire.js";
import { createRoutes } from "./routes.js";

/** Smallest modules first. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import("./control/control.js"),
  () => import("./server/page/ui.js"),
  () => import("./rules/catalog.js"),
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
 * Loads modules one by one, so that requests can run in between. After that, no request waits for a module,
 * and the server keeps running if another version of voxctl is installed.
 * @param signal stops loading after the current module
 */
export async function preload(signal: AbortSignal): Promise<void> {
  const routes = createRoutes();
  const operations = Object.keys(wireOperations).map((name) => () => routes.named(name));
  for (const load of [...operations, ...parts]) {
    if (signal.aborted) return;
    await load();
  }
}
