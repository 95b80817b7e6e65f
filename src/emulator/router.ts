import { addRoute, createRouter as createTree, findRoute as findInTree, type RouterContext } from "rou3";

/** The routes below one address, by method and path. */
export type Router<Route> = RouterContext<Route>;

/** @param entries paths with `{name}` for a parameter */
export function createRouter<Route>(
  entries: Iterable<{ method: string; path: string; route: Route }>,
): Router<Route> {
  const router = createTree<Route>();
  for (const { method, path, route } of entries)
    addRoute(router, method, path.replace(/\{(\w+)\}/g, ":$1"), route);
  return router;
}

/** The route of a request, and its parameters as they were sent. */
export function findRoute<Route>(
  router: Router<Route> | undefined,
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string> } | undefined {
  // The router forgives what is another path by the documents.
  if (!router || path.endsWith("/") || path.includes("//")) return undefined;
  const found = findInTree(router, method, path);
  return found && { route: found.data, parameters: found.params ?? {} };
}
