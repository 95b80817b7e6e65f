import { apis } from "../contract/apis.js";
import { type Operation, parsePathParameters } from "../contract/operation.js";
import { wireOperations } from "../contract/wire.js";
import type { AnyHandler } from "./context.js";
import { distributorV1Policy, distributorV2Policy } from "./distributor/policy.js";
import { legacyPolicy } from "./legacy/policy.js";
import type { ApiPolicy } from "./policy.js";
import { publicPolicy } from "./public/policy.js";
import { type Resource, resources } from "./resources.js";
import { createRouter, findRoute, type Router } from "./router.js";

export interface Route {
  name: string;
  operation: Operation;
  handler: AnyHandler;
  policy: ApiPolicy;
  reader?: AnyHandler & { parameter: string };
}

const policies: Readonly<Record<Operation["api"], ApiPolicy>> = {
  public: publicPolicy,
  "distributor-v1": distributorV1Policy,
  "distributor-v2": distributorV2Policy,
  legacy: legacyPolicy,
};

interface Match {
  route: Route;
  parameters: Record<string, string>;
}

export interface Routes {
  /**
   * Loads the handlers for a request; undefined if they are already loaded. Callers must await the result
   * before they call `match`.
   */
  prepare(method: string, path: string): Promise<unknown> | undefined;
  match(method: string, path: string): Match | undefined;
  isReady(method: string, path: string): boolean;
  /** @throws Error if there is no such operation */
  named(name: string): Promise<Route>;
  /** Finds an operation without loading its handlers. */
  identify(method: string, path: string): { name: string; api: Operation["api"] } | undefined;
  unmatched(path: string): { policy: ApiPolicy; rule: string };
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

interface KnownRoute {
  name: string;
  resource: string;
  policy: ApiPolicy;
  route?: Route;
}

/** Returns the GET handler of the resource that a write changes; undefined for calls. */
function findReader(name: string, { operations, handlers }: Resource): Route["reader"] {
  const [resource, verb, ...deeper] = name.split(".");
  if (verb === "get" || deeper.length > 0 || resource === "calls") return undefined;
  const operation = operations[`${resource}.get`];
  const handler = handlers[`${resource}.get`];
  const [parameter] = operation ? parsePathParameters(operation.path) : [];
  if (operation?.api !== "public" || !handler || parameter === undefined) return undefined;
  return Object.assign<AnyHandler, { parameter: string }>((context, input) => handler(context, input), {
    parameter,
  });
}

function toPathHead(path: string): string {
  return path.split("/", 4).join("/");
}

export function createRoutes(): Routes {
  const byName = new Map<string, KnownRoute>();
  const byHead = new Map<string, { method: string; path: string; route: KnownRoute }[]>();
  for (const [name, { api, resource, method, path: ownPath }] of Object.entries(wireOperations)) {
    const route = { name, resource, policy: policies[api] };
    byName.set(name, route);
    const path = apis[api].basePath + ownPath;
    const head = toPathHead(path);
    const siblings = byHead.get(head);
    if (siblings) siblings.push({ method, path, route });
    else byHead.set(head, [{ method, path, route }]);
  }
  const routers = new Map<string, Router<KnownRoute>>();
  const routerOf = (path: string): Router<KnownRoute> | undefined => {
    const head = toPathHead(path);
    const made = routers.get(head);
    if (made) return made;
    const routes = byHead.get(head);
    if (!routes) return undefined;
    const router = createRouter(routes);
    routers.set(head, router);
    return router;
  };

  const lookUp = (method: string, path: string) => findRoute(routerOf(path), method, path);
  // Each request looks up its route several times, so cache the last match.
  let last: { method: string; path: string; match: ReturnType<typeof lookUp> } | undefined;
  const find = (method: string, path: string) => {
    if (last?.path !== path || last.method !== method) last = { method, path, match: lookUp(method, path) };
    return last.match;
  };

  const load = async (known: KnownRoute): Promise<Route> => {
    const loaded = await resources[known.resource]?.();
    const operation = loaded?.operations[known.name];
    const handler = loaded?.handlers[known.name];
    if (!operation || !handler) throw new Error(`no handler for ${known.name}`);
    const { name, policy } = known;
    const reader = loaded && findReader(name, loaded);
    known.route = { name, operation, handler, policy, ...(reader ? { reader } : {}) };
    return known.route;
  };

  return {
    prepare(method, path) {
      const known = find(method, path)?.route;
      return known && !known.route ? load(known) : undefined;
    },
    async named(name) {
      const known = byName.get(name);
      if (!known) throw new Error(`unknown operation ${name}`);
      return known.route ?? load(known);
    },
    isReady: (method, path) => find(method, path)?.route.route !== undefined,
    match(method, path) {
      const matched = find(method, path);
      if (!matched?.route.route) return undefined;
      return { route: matched.route.route, parameters: matched.parameters };
    },
    identify(method, path) {
      const known = find(method, path)?.route;
      return known && { name: known.name, api: known.policy.api.name };
    },
    unmatched(path) {
      const policy =
        Object.values(policies).find(
          ({ api }) => api.basePath !== "" && path.startsWith(`${api.basePath}/`),
        ) ?? publicPolicy;
      // A known path with an unknown method is also unmatched (D-method).
      const known = methods.some((method) => find(method, path) !== undefined);
      return { policy, rule: known ? "D-method" : "D-order" };
    },
  };
}
