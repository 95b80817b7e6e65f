import { authorize } from "./control/policy.js";
import { createDescriptionHandler, isDescriptionRequest } from "./description.js";
import type { EmulatorState } from "./emulator-state.js";
import { toErrorResponse } from "./envelope.js";
import { controlPrefix, mcpPath, stripQuery, uiPath } from "./paths.js";
import { type RequestRecord, type ResponseRecord, toReadRequest } from "./records.js";
import { createRequestHandler } from "./request/stages.js";
import { createRoutes } from "./routes.js";
import type { Ui } from "./server/page/ui.js";
import type { Respond } from "./transport.js";
import type { StartLine } from "./types.js";

const homePaths: readonly string[] = ["/", "/docs"];

function isHomeRequest(request: RequestRecord): boolean {
  return toReadRequest(request).method === "GET" && homePaths.includes(stripQuery(request.target));
}

export interface Dispatch {
  /**
   * Returns whether `now()` can handle the request: its operation is loaded, and nothing has exclusive use of
   * the emulator.
   */
  isReady(request: RequestRecord): boolean;
  /** Handles a request for which `isReady` is true. Never throws. */
  now(request: RequestRecord): ResponseRecord;
  /** Handles any request, after loading the required modules. */
  later(request: RequestRecord): Promise<ResponseRecord>;
  /**
   * Returns whether the request is allowed to have a long body: authorized clients can send whole snapshots
   * to the control interface.
   */
  mayBeLong(request: RequestRecord): boolean;
  /** Returns whether the path exists in an API, in MCP or as a description, regardless of the method. */
  isKnownPath(path: string): boolean;
  failed(request: RequestRecord, error: unknown): ResponseRecord;
}

interface Surroundings {
  startLine(url: string): StartLine;
  allowPrivateWebhooks(): boolean;
  webhookExample(): Readonly<Record<string, unknown>> | undefined;
  stopServer(): (() => void) | undefined;
  /** Called after a reset or restore, because the keys might have changed. */
  onRenewed(): void;
}

export function createDispatch(state: EmulatorState, surroundings: Surroundings): Dispatch {
  const routes = createRoutes();
  const handleRequest = createRequestHandler(state, routes);
  const describe = createDescriptionHandler();

  let mcp: Promise<Respond> | undefined;
  const loadMcp = () => {
    mcp ??= import("./mcp/endpoint.js").then(({ createMcpEndpoint }) => createMcpEndpoint(state, routes));
    return mcp;
  };
  let control: Promise<Respond> | undefined;
  const loadControl = () => {
    control ??= import("./control/control.js").then(({ createControl }) =>
      createControl(state, {
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
    const { createUi } = await import("./server/page/ui.js");
    ui ??= createUi(state);
    return ui;
  };

  const service = async (request: RequestRecord) => {
    const loading = routes.prepare(toReadRequest(request).method, stripQuery(request.target));
    if (loading) await loading;
    while (state.busy) await state.busy;
    return handleAndNotify(request);
  };

  const handleAndNotify = (request: RequestRecord) => {
    const response = handleRequest(request);
    state.changes.note();
    return response;
  };

  const toFailureResponse = (request: RequestRecord, error: unknown) => {
    const { policy } = routes.unmatched(stripQuery(request.target));
    return toErrorResponse(state, policy, error, { limitHeaders: {} });
  };

  return {
    isReady: (request) =>
      !state.busy && routes.isReady(toReadRequest(request).method, stripQuery(request.target)),
    now(request) {
      try {
        return handleAndNotify(request);
      } catch (error) {
        return toFailureResponse(request, error);
      }
    },
    async later(request) {
      const path = stripQuery(request.target);
      if (path === uiPath || path.startsWith(`${uiPath}/`)) return (await loadUi()).respond(request);
      if (path.startsWith(`${controlPrefix}/`)) {
        const response = await (await loadControl())(toReadRequest(request));
        if (/\/(reset|restore)$/.test(path)) surroundings.onRenewed();
        return response;
      }
      if (path === mcpPath) {
        const response = await (await loadMcp())(request);
        state.changes.note();
        return response;
      }
      if (isHomeRequest(request)) return (await import("./server/page/home.js")).respondWithHome(request);
      const described = isDescriptionRequest(toReadRequest(request)) ? await describe(request) : undefined;
      return described ?? service(request);
    },
    mayBeLong(request) {
      if (!stripQuery(request.target).startsWith(`${controlPrefix}/`)) return false;
      try {
        authorize(state, request, isFromPage);
        return true;
      } catch {
        return false;
      }
    },
    isKnownPath: (path) =>
      homePaths.includes(path) ||
      path === mcpPath ||
      isDescriptionRequest({ method: "GET", target: path, headers: {}, body: undefined }) ||
      routes.unmatched(path).rule === "D-method",
    failed: toFailureResponse,
  };
}
