import * as z from "zod";
import { stringifyExactJson } from "../base/exact-json.js";
import { isLoopback } from "../base/loopback.js";
import { buildAddresses } from "../contract/addresses.js";
import { once } from "../contract/once.js";
import { forkEmulatorState, type OpenedEmulatorState, openEmulatorState } from "./database/open.js";
import { createDispatch } from "./dispatch.js";
import type { EmulatorState } from "./emulator-state.js";
import { createFetch } from "./fetch.js";
import { checkEmulatorOptions, checkListenOptions } from "./options.js";
import { controlPrefix } from "./paths.js";
import type { ResponseRecord } from "./records.js";
import { deliverResponses, respondAlone, respondByTurns, respondTogether } from "./respond.js";
import { seededKeyValues } from "./seed/keys.js";
import { removeServerState, writeServerState } from "./server-state.js";
import { inProcessTransport, type Respond } from "./transport.js";
import type { Emulator, EmulatorOptions, EmulatorServer, ListenOptions, StartLine } from "./types.js";

const placeholderUrl = "http://emulator.localhost";

/** Limited by the longest string that Node supports, because an imported snapshot is parsed as one string. */
const maximumImportBytes = 512 * 1024 * 1024;

const Snapshot = once(() => z.object({ name: z.string() }));

/**
 * @throws TypeError for invalid options, LockedError if a server has locked the file, UnusableFileError if
 * the file can't be read
 */
export async function openEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  checkEmulatorOptions(options);
  return createEmulator(await openEmulatorState(options));
}

interface ServerOptions extends Pick<ListenOptions, "webhookExample" | "onStop"> {
  allowPrivateWebhooks: boolean;
}

function createEmulator(opened: OpenedEmulatorState): Emulator {
  const { state } = opened;
  const servers = new Map<EmulatorServer, ServerOptions>();
  /** The server to which commands connect: its state file is next to the database. */
  let served: EmulatorServer | undefined;
  let closed: Promise<void> | undefined;
  const inFlight = new Set<Promise<ResponseRecord>>();
  const isOwnFile = state.options.owned && state.options.path !== ":memory:";

  const dispatch = createDispatch(state, {
    startLine: (url) => buildStartLine(state, url),
    // Other machines that can reach a server could make the emulator send requests into this network.
    allowPrivateWebhooks: () => [...servers.values()].every((server) => server.allowPrivateWebhooks),
    webhookExample: () => [...servers.values()].find((server) => server.webhookExample)?.webhookExample,
    stopServer: () => [...servers.values()].find((server) => server.onStop)?.onStop,
    onRenewed: () => {
      if (served) writeServerState(buildStartLine(state, served.url));
    },
  });

  const assertOpen = () => {
    if (closed) throw new ClosedError();
  };
  // If no other process can use the database, commit each in-process request immediately.
  const respondAtOnce = state.options.owned ? respondAlone : respondByTurns;
  const respondInProcess = deliverResponses(state, respondAtOnce(state, dispatch), () => state.clock);
  const respond: Respond = (request) => {
    assertOpen();
    const response = respondInProcess(request);
    if (!(response instanceof Promise)) return response;
    const ended = () => inFlight.delete(response);
    inFlight.add(response);
    response.then(ended, ended);
    return response;
  };

  const close = async () => {
    state.changes.end();
    await Promise.all([...servers.keys()].map((server) => server.close()));
    await Promise.allSettled(inFlight);
    if (served) removeServerState(state.options.path);
    opened.close();
  };
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };

  const control: Emulator["control"] = async (method, path, body) => {
    const response = await respond({
      method,
      target: controlPrefix + path,
      headers: { authorization: `Bearer ${state.controlToken}`, "content-type": "application/json" },
      body: body === undefined ? undefined : stringifyExactJson(body),
    });
    if (response.unusable) throw response.unusable;
    const payload: unknown = JSON.parse(String(response.body));
    if (response.status >= 400) throw new ControlError(response.status, payload);
    return typeof payload === "object" && payload !== null && "data" in payload ? payload.data : payload;
  };

  return {
    fetch: createFetch(respond, `${placeholderUrl}/api/v1/`),
    transport: inProcessTransport(respond),
    clock: state.clock,
    get startLine() {
      assertOpen();
      return buildStartLine(state, placeholderUrl);
    },
    control,
    async snapshot(name) {
      return Snapshot().parse(await control("POST", "/snapshots", name === undefined ? {} : { name })).name;
    },
    async restore(name) {
      await control("POST", `/snapshots/${encodeURIComponent(name)}/restore`);
    },
    async fork() {
      assertOpen();
      return createEmulator(await forkEmulatorState(state));
    },
    async listen(listenOptions = {}) {
      assertOpen();
      checkListenOptions(listenOptions);
      const { listen } = await import("./server/server.js");
      const ending = new AbortController();
      // If only this process uses the file, requests share commits. If other processes share the file, each
      // request has its own commit. An in-memory database gains nothing from shared commits.
      const committed = isOwnFile ? respondTogether(state, dispatch) : respondAlone(state, dispatch);
      const waiting = () => (state.clock.current === "virtual" ? state.clock : state.options.systemClock);
      const respondOverHttp = deliverResponses(state, committed, waiting, ending.signal);
      const listening = await listen(respondOverHttp, listenOptions, {
        readLimitOf: (request) => (dispatch.mayBeLong(request) ? maximumImportBytes : undefined),
        isKnownPath: dispatch.isKnownPath,
      });
      const server: EmulatorServer = {
        ...listening,
        async close() {
          servers.delete(server);
          ending.abort();
          // Answer the requests that wait for a change, because they would delay the stop.
          if (servers.size === 0) state.changes.end();
          await listening.close();
          if (served === server) removeServerState(state.options.path);
        },
      };
      state.changes.begin();
      servers.set(server, {
        ...listenOptions,
        allowPrivateWebhooks:
          listenOptions.allowPrivateWebhooks ?? isLoopback(listenOptions.host ?? "127.0.0.1"),
      });
      if (isOwnFile) {
        served ??= server;
        writeServerState(buildStartLine(state, server.url));
      }
      return server;
    },
    close: () => closeOnce(),
    [Symbol.asyncDispose]: () => closeOnce(),
  };
}

export class ClosedError extends Error {
  override readonly name = "ClosedError";
  constructor() {
    super("the emulator is closed");
  }
}

export class ControlError extends Error {
  override readonly name = "ControlError";
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`the control interface responded with ${status}: ${JSON.stringify(body)}`);
  }
}

function buildStartLine(state: EmulatorState, url: string): StartLine {
  const organization = state.database.prepare("SELECT min(id) AS id FROM organizations").get();
  return {
    ...buildAddresses(url),
    control_token: state.controlToken,
    organization_id: String(organization?.["id"] ?? ""),
    keys: seededKeyValues(state),
    db: state.options.path,
    pid: process.pid,
  };
}
