import { wireOperations } from "../contract/wire.js";
import { createRoutes } from "./routes.js";

/** Modules that a first request loads, the lightest first. */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import("./control/control.js"),
  () => import("./ui/ui.js"),
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
 * Loads all that requests may need, part by part, so that requests are answered in between. A server that has
 * everything stays whole when another voxctl is installed in its place, and no first request waits for a part.
 * @param signal ends it after the part that is loading
 */
export async function preload(signal: AbortSignal): Promise<void> {
  const routes = createRoutes();
  const operations = Object.keys(wireOperations).map((name) => () => routes.named(name));
  for (const load of [...operations, ...parts]) {
    if (signal.aborted) return;
    await load();
  }
}
