import { authorize } from "./control/policy.js";
import { createDescription, isDescription } from "./description.js";
import { failed } from "./envelope.js";
import { controlPrefix, mcpPath, pathOf, uiPath } from "./paths.js";
import { answerRequest } from "./pipeline.js";
import { asRead, type RequestRecord, type ResponseRecord } from "./records.js";
import { createRoutes } from "./routes.js";
import type { Respond } from "./transport.js";
import type { StartLine } from "./types.js";
import type { Ui } from "./ui/ui.js";
import type { World } from "./world.js";

/** Hands each request to the part that it is for: the service, the control interface, the page, MCP, a description. */
export interface Dispatch {
  /** Is it one of the service's operations, loaded, in a world that is not held alone? */
  isReady(request: RequestRecord): boolean;
  /** Answers what is ready. Never throws. */
  now(request: RequestRecord): ResponseRecord;
  /** Answers anything, once what it needs is loaded. */
  later(request: RequestRecord): Promise<ResponseRecord>;
  /** May its body be long? Whole worlds are handed to the control interface, by who may do so. */
  mayBeLong(request: RequestRecord): boolean;
  /** The answer to a request that was kept from its own by this error. */
  failed(request: RequestRecord, error: unknown): ResponseRecord;
}

/** The parts of the emulator that its own parts may ask for. */
interface Surroundings {
  startLine(url: string): StartLine;
  /** May webhooks lie at loopback and private addresses? */
  allowPrivateWebhooks(): boolean;
  /** A body as webhooks get it, where a server was given one. */
  webhookExample(): Readonly<Record<string, unknown>> | undefined;
  /** Ends the server; undefined where no server may be ended from outside. */
  stopServer(): (() => void) | undefined;
  /** Told when a reset or restore changed the keys. */
  onRenewed(): void;
}

export function createDispatch(world: World, surroundings: Surroundings): Dispatch {
  const routes = createRoutes();
  const describe = createDescription();

  /** Each part is loaded with its first request. */
  let mcp: Promise<Respond> | undefined;
  const loadMcp = () => {
    mcp ??= import("./mcp/endpoint.js").then(({ createMcpEndpoint }) => createMcpEndpoint(world, routes));
    return mcp;
  };
  let control: Promise<Respond> | undefined;
  const loadControl = () => {
    control ??= import("./control/control.js").then(({ createControl }) =>
      createControl(world, {
        routes,
        startLine: surroundings.startLine,
        allowPrivateWebhooks: surroundings.allowPrivateWebhooks,
        webhookExample: surroundings.webhookExample,
        stopServer: surroundings.stopServer,
        issueTicket: async () => (await loadUi()).issueTicket(),
        isFromPage,
      }),
    );
    return control;
  };
  let ui: Ui | undefined;
  const isFromPage = (request: RequestRecord) => ui?.isFromPage(request) ?? false;
  const loadUi = async () => {
    const { createUi } = await import("./ui/ui.js");
    ui ??= createUi(world);
    return ui;
  };

  const service = async (request: RequestRecord) => {
    const loading = routes.prepare(asRead(request).method, pathOf(request.target));
    if (loading) await loading;
    while (world.busy) await world.busy;
    return answered(request);
  };

  const answered = (request: RequestRecord) => {
    const response = answerRequest(world, routes, request);
    world.changes.note();
    return response;
  };

  /** In the words of the surface that the path belongs to. */
  const failure = (request: RequestRecord, error: unknown) => {
    const { policy } = routes.unmatched(pathOf(request.target));
    return failed(world, policy, error, { limitHeaders: {} });
  };

  return {
    isReady: (request) => !world.busy && routes.isReady(asRead(request).method, pathOf(request.target)),
    now(request) {
      try {
        return answered(request);
      } catch (error) {
        return failure(request, error);
      }
    },
    async later(request) {
      const path = pathOf(request.target);
      if (path === uiPath || path.startsWith(`${uiPath}/`)) return (await loadUi()).respond(request);
      if (path.startsWith(`${controlPrefix}/`)) {
        const response = await (await loadControl())(asRead(request));
        if (/\/(reset|restore)$/.test(path)) surroundings.onRenewed();
        return response;
      }
      if (path === mcpPath) {
        const response = await (await loadMcp())(request);
        world.changes.note();
        return response;
      }
      const described = isDescription(asRead(request)) ? await describe(request) : undefined;
      return described ?? service(request);
    },
    mayBeLong(request) {
      if (!pathOf(request.target).startsWith(`${controlPrefix}/`)) return false;
      try {
        authorize(world, request, isFromPage);
        return true;
      } catch {
        return false;
      }
    },
    failed: failure,
  };
}
