import * as z from "zod";
import type { Clock } from "../base/clock.js";
import { isLoopback } from "../base/loopback.js";
import { forkWorld, type OpenedWorld, openWorld } from "./database/open.js";
import { answerDescription, isDescription } from "./description.js";
import { createFetch } from "./fetch.js";
import { checkEmulatorOptions, checkListenOptions } from "./options.js";
import { controlPrefix, mcpPath, pathOf, uiPath } from "./paths.js";
import { answerRequest, failed } from "./pipeline.js";
import type { PendingRecord, RequestRecord, ResponseRecord } from "./records.js";
import { createRoutes } from "./routes.js";
import { seededKeyValues } from "./seed/keys.js";
import { removeServerState, writeServerState } from "./server-state.js";
import { inProcessTransport, type Respond } from "./transport.js";
import type { Emulator, EmulatorOptions, EmulatorServer, StartLine } from "./types.js";
import type { Ui } from "./ui/ui.js";
import type { World } from "./world.js";

/** The host that stands in addresses of a world that nobody listens for. */
const placeholderUrl = "http://emulator.localhost";

const Snapshot = z.object({ name: z.string() });

/**
 * Opens a world of the service, in process: every interface over one SQLite database.
 * @throws TypeError for options that there are not, LockedError when the file is held by a server, UnusableFileError
 * when it can't be read
 */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkEmulatorOptions(options);
  return emulatorOf(await openWorld(options));
}

function emulatorOf(opened: OpenedWorld): Emulator {
  const { world } = opened;
  const routes = createRoutes();
  /** And whether webhooks may lie at private addresses while it listens. */
  const servers = new Map<EmulatorServer, boolean>();
  const httpDate = httpDates();
  let served: EmulatorServer | undefined;
  let closed: Promise<void> | undefined;
  /** What was asked in process and is not answered yet. */
  const inFlight = new Set<Promise<ResponseRecord>>();

  let mcp: Promise<Respond> | undefined;
  const answerMcp: Respond = async (request) => {
    mcp ??= import("./mcp/endpoint.js").then(({ createMcpEndpoint }) => createMcpEndpoint(world, routes));
    return (await mcp)(request);
  };

  /** Loaded when somebody first asks for a way to the page, or for the page itself. */
  let ui: Ui | undefined;
  const loadUi = async () => {
    const { createUi } = await import("./ui/ui.js");
    ui ??= createUi(world);
    return ui;
  };

  const answerAt = async (path: string, request: RequestRecord): Promise<ResponseRecord> => {
    if (path === uiPath || path.startsWith(`${uiPath}/`)) return (await loadUi()).respond(request);
    if (path.startsWith(`${controlPrefix}/`)) {
      const { answerControl } = await import("./control/control.js");
      return answerControl(world, request, {
        startLine: (url) => startLineOf(world, url),
        // Unless somebody else can make it send requests into this network.
        allowPrivateWebhooks: [...servers.values()].every((allowed) => allowed),
        issueTicket: async () => (await loadUi()).issueTicket(),
        isFromPage: (asked) => ui?.isFromPage(asked) ?? false,
      });
    }
    if (path === mcpPath) return answerMcp(request);
    const described = isDescription(request) ? await answerDescription(request) : undefined;
    if (described) return described;
    const loading = routes.prepare(request.method, path);
    if (loading) await loading;
    while (world.busy) await world.busy;
    return answerRequest(world, routes, request);
  };

  const ofThisWorld = (response: ResponseRecord): ResponseRecord => {
    response.headers["X-Emulator-World"] = world.worldId;
    return response;
  };
  /** The service itself, once it is loaded, answers at once. */
  const isReady = ({ method, target }: RequestRecord) =>
    !world.busy && routes.isReady(method, pathOf(target));
  const answerNow = (request: RequestRecord) => {
    try {
      return ofThisWorld(answerRequest(world, routes, request));
    } catch (error) {
      return ofThisWorld(failed(world, routes, request, error));
    }
  };
  const answerWell = async (request: RequestRecord): Promise<ResponseRecord> => {
    const path = pathOf(request.target);
    const response = await answerAt(path, request);
    // A reset or restore changes the keys that commands find beside the file.
    if (served && /\/(reset|restore)$/.test(path)) writeServerState(startLineOf(world, served.url));
    const group = world.group.current;
    world.group.settle();
    if (group?.isLost) throw new Error("the world's file could not be written");
    return response;
  };
  const answerLater = async (request: RequestRecord): Promise<ResponseRecord> => {
    try {
      return ofThisWorld(await answerWell(request));
    } catch (error) {
      return ofThisWorld(failed(world, routes, request, error));
    }
  };

  const answer: Respond = (request) => {
    if (!isReady(request)) return answerLater(request);
    const response = answerNow(request);
    const group = world.group.current;
    world.group.settle();
    return group?.isLost ? answerNow(request) : response;
  };
  /** Over HTTP, what arrives together is kept together. */
  const answerTogether: Respond = (request) => {
    if (!isReady(request)) return answerLater(request);
    const group = request.method === "GET" ? world.group.current : world.group.join();
    const response: PendingRecord = answerNow(request);
    if (group) {
      response.settled = () => {
        world.group.settle();
        return group.isLost ? dated(answerNow(request)) : response;
      };
    }
    return response;
  };

  const dated = <T extends ResponseRecord>(response: T): T => {
    response.headers["Date"] = httpDate(world.clock.now());
    return response;
  };
  // In process a wait moves the world's clock; a server on a real clock waits.
  const respondAfter = (answering: Respond, waiting: () => Clock, ending?: AbortSignal): Respond => {
    const delayed = async (response: ResponseRecord) => {
      if (response.delayMilliseconds) {
        const wait = waiting().sleep(response.delayMilliseconds, ending);
        await wait.catch((error: unknown) => {
          // The effect is there: who closes the server lets the answer go at once.
          if (!ending?.aborted) throw error;
        });
      }
      return dated(response);
    };
    return (request) => {
      const response = answering(request);
      if (response instanceof Promise) return response.then(delayed);
      return response.delayMilliseconds ? delayed(response.settled?.() ?? response) : dated(response);
    };
  };
  const respondHere = respondAfter(answer, () => world.clock);
  const assertOpen = () => {
    if (closed) throw new ClosedError();
  };
  const respondInProcess: Respond = (request) => {
    assertOpen();
    const response = respondHere(request);
    if (!(response instanceof Promise)) return response;
    const ended = response.finally(() => inFlight.delete(ended));
    inFlight.add(ended);
    return ended;
  };

  const close = async () => {
    await Promise.all([...servers.keys()].map((server) => server.close()));
    await Promise.allSettled(inFlight);
    if (served) removeServerState(world.options.path);
    opened.close();
  };
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };

  const control: Emulator["control"] = async (method, path, body) => {
    const response = await respondInProcess({
      method,
      target: controlPrefix + path,
      headers: { authorization: `Bearer ${world.controlToken}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.unusable) throw response.unusable;
    const answered: unknown = JSON.parse(String(response.body));
    if (response.status >= 400) throw new ControlError(response.status, answered);
    return typeof answered === "object" && answered !== null && "data" in answered ? answered.data : answered;
  };

  return {
    fetch: createFetch(respondInProcess, `${placeholderUrl}/api/v1/`),
    transport: inProcessTransport(respondInProcess),
    clock: world.clock,
    get startLine() {
      assertOpen();
      return startLineOf(world, placeholderUrl);
    },
    control,
    async snapshot(name) {
      return Snapshot.parse(await control("POST", "/snapshots", name === undefined ? {} : { name })).name;
    },
    async restore(name) {
      await control("POST", `/snapshots/${encodeURIComponent(name)}/restore`);
    },
    async fork() {
      assertOpen();
      return emulatorOf(await forkWorld(world));
    },
    async listen(listenOptions = {}) {
      assertOpen();
      checkListenOptions(listenOptions);
      const { listen } = await import("./server.js");
      const ending = new AbortController();
      // In memory there is nothing to keep; a file that is shared is committed by each for itself.
      const answering = world.options.owned && world.options.path !== ":memory:" ? answerTogether : answer;
      const waiting = () => (world.clock.current === "virtual" ? world.clock : world.options.systemClock);
      const listening = await listen(respondAfter(answering, waiting, ending.signal), listenOptions);
      const server: EmulatorServer = {
        ...listening,
        async close() {
          servers.delete(server);
          ending.abort();
          await listening.close();
          if (served === server) removeServerState(world.options.path);
        },
      };
      servers.set(
        server,
        listenOptions.allowPrivateWebhooks ?? isLoopback(listenOptions.host ?? "127.0.0.1"),
      );
      if (world.options.owned && world.options.path !== ":memory:") {
        served ??= server;
        writeServerState(startLineOf(world, server.url));
      }
      return server;
    },
    close: () => closeOnce(),
    [Symbol.asyncDispose]: () => closeOnce(),
  };
}

/** It was closed before; nothing happened. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
  constructor() {
    super("the emulator is closed");
  }
}

/** The control interface refused a call made through `emulator.control`. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  constructor(
    readonly status: number,
    /** The error envelope. */
    readonly body: unknown,
  ) {
    super(`the control interface answered ${status}: ${JSON.stringify(body)}`);
  }
}

function startLineOf(world: World, url: string): StartLine {
  const organization = world.database.prepare("SELECT min(id) AS id FROM organizations").get();
  return {
    url,
    base_url: `${url}/api/v1`,
    distributor_v1_url: `${url}/api/distributor/v1`,
    distributor_v2_url: `${url}/api/distributor/v2`,
    legacy_url: url,
    mcp_url: `${url}/mcp`,
    control_url: `${url}${controlPrefix}`,
    control_token: world.controlToken,
    organization_id: String(organization?.["id"] ?? ""),
    keys: seededKeyValues(world),
    db: world.options.path,
    pid: process.pid,
  };
}

/** RFC 9110's form, made once a second. */
function httpDates(): (milliseconds: number) => string {
  let lastSecond = -1;
  let lastDate = "";
  return (milliseconds) => {
    const second = Math.floor(milliseconds / 1000);
    if (second !== lastSecond) {
      lastSecond = second;
      lastDate = new Date(milliseconds).toUTCString();
    }
    return lastDate;
  };
}
