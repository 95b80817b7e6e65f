import { addRoute, createRouter, findRoute } from "rou3";
import { customers } from "../contract/distributor/customers.js";
import { distributorHealth } from "../contract/distributor/health.js";
import { licenses } from "../contract/distributor/licenses.js";
import { orgs } from "../contract/distributor/orgs.js";
import { partners } from "../contract/distributor/partners.js";
import { usage } from "../contract/distributor/usage.js";
import { legacy } from "../contract/legacy/legacy.js";
import type { Operation, Operations } from "../contract/operation.js";
import { assistants } from "../contract/public/assistants.js";
import { calendars } from "../contract/public/calendars.js";
import { calls } from "../contract/public/calls.js";
import { contacts } from "../contract/public/contacts.js";
import { forwardings } from "../contract/public/forwardings.js";
import { glossary } from "../contract/public/glossary.js";
import { groups } from "../contract/public/groups.js";
import { knowledge } from "../contract/public/knowledge.js";
import { ping } from "../contract/public/ping.js";
import { prompts } from "../contract/public/prompts.js";
import { pronunciation } from "../contract/public/pronunciation.js";
import { recordings } from "../contract/public/recordings.js";
import { statistics } from "../contract/public/statistics.js";
import { tools } from "../contract/public/tools.js";
import { voices } from "../contract/public/voices.js";
import { surfaces } from "../contract/surfaces.js";
import type { AnyHandler, Handlers, KeylessContext } from "./context.js";
import { customerHandlers } from "./distributor/customers.js";
import { distributorHealthHandlers } from "./distributor/health.js";
import { licenseHandlers } from "./distributor/licenses.js";
import { orgHandlers } from "./distributor/orgs.js";
import { partnerHandlers } from "./distributor/partners.js";
import { distributorV1Policy, distributorV2Policy } from "./distributor/surface.js";
import { usageHandlers } from "./distributor/usage.js";
import { legacyHandlers } from "./legacy/legacy.js";
import { legacyPolicy } from "./legacy/surface.js";
import type { SurfacePolicy } from "./policy.js";
import { assistantHandlers } from "./public/assistants.js";
import { calendarHandlers } from "./public/calendars.js";
import { callHandlers } from "./public/calls.js";
import { contactHandlers } from "./public/contacts.js";
import { forwardingHandlers } from "./public/forwardings.js";
import { glossaryHandlers } from "./public/glossary.js";
import { groupHandlers } from "./public/groups.js";
import { knowledgeHandlers } from "./public/knowledge.js";
import { pingHandlers } from "./public/ping.js";
import { promptHandlers } from "./public/prompts.js";
import { pronunciationHandlers } from "./public/pronunciation.js";
import { recordingHandlers } from "./public/recordings.js";
import { statisticsHandlers } from "./public/statistics.js";
import { publicPolicy } from "./public/surface.js";
import { toolHandlers } from "./public/tools.js";
import { voiceHandlers } from "./public/voices.js";

export interface Route {
  name: string;
  operation: Operation;
  handler: AnyHandler;
  policy: SurfacePolicy;
}

interface Resource {
  operations: Operations;
  handlers: Readonly<Record<string, AnyHandler>>;
  policy: SurfacePolicy;
}

/** Ties a resource's table to its handlers; the types hold them together. */
function resource<T extends Operations, C extends KeylessContext>(
  policy: SurfacePolicy,
  operations: T,
  handlers: Handlers<T, C>,
): Resource {
  // The pipeline parses by the operation's own schemas and builds the policy's own context before it calls.
  return { policy, operations, handlers: handlers as unknown as Readonly<Record<string, AnyHandler>> };
}

const resources: readonly Resource[] = [
  resource(publicPolicy, ping, pingHandlers),
  resource(publicPolicy, groups, groupHandlers),
  resource(publicPolicy, contacts, contactHandlers),
  resource(publicPolicy, prompts, promptHandlers),
  resource(publicPolicy, voices, voiceHandlers),
  resource(publicPolicy, assistants, assistantHandlers),
  resource(publicPolicy, knowledge, knowledgeHandlers),
  resource(publicPolicy, forwardings, forwardingHandlers),
  resource(publicPolicy, glossary, glossaryHandlers),
  resource(publicPolicy, pronunciation, pronunciationHandlers),
  resource(publicPolicy, calendars, calendarHandlers),
  resource(publicPolicy, tools, toolHandlers),
  resource(publicPolicy, calls, callHandlers),
  resource(publicPolicy, recordings, recordingHandlers),
  resource(publicPolicy, statistics, statisticsHandlers),
  resource(distributorV2Policy, orgs, orgHandlers),
  resource(distributorV2Policy, licenses, licenseHandlers),
  resource(distributorV2Policy, usage, usageHandlers),
  resource(distributorV1Policy, distributorHealth, distributorHealthHandlers),
  resource(distributorV1Policy, partners, partnerHandlers),
  resource(distributorV1Policy, customers, customerHandlers),
  resource(legacyPolicy, legacy, legacyHandlers),
];

const policies: readonly SurfacePolicy[] = [publicPolicy, distributorV1Policy, distributorV2Policy];

export interface Match {
  route: Route;
  parameters: Record<string, string>;
}

/** Finds what a method and path mean. */
export interface Routes {
  match(method: string, path: string): Match | undefined;
  /** The surface whose errors an unmatched path gets, and whether only its method is unknown. */
  unmatched(path: string): { policy: SurfacePolicy; rule: string };
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function createRoutes(): Routes {
  const router = createRouter<Route>();
  for (const { operations, handlers, policy } of resources) {
    for (const [name, operation] of Object.entries(operations)) {
      const handler = handlers[name];
      if (!handler) throw new Error(`no handler for ${name}`);
      const path = surfaces[operation.surface].basePath + operation.path.replace(/\{(\w+)\}/g, ":$1");
      addRoute(router, operation.method, path, { name, operation, handler, policy });
    }
  }

  const match = (method: string, path: string): Match | undefined => {
    // The router forgives what is another path by the documents.
    if (path.endsWith("/") || path.includes("//")) return undefined;
    const found = findRoute(router, method, path);
    return found && { route: found.data, parameters: found.params ?? {} };
  };

  return {
    match,
    unmatched(path) {
      const policy =
        policies.find(({ surface }) => surface.basePath !== "" && path.startsWith(`${surface.basePath}/`)) ??
        publicPolicy;
      // D-method: a known path with an unknown method is an unmatched route, too.
      const known = methods.some((method) => match(method, path) !== undefined);
      return { policy, rule: known ? "D-method" : "D-order" };
    },
  };
}
