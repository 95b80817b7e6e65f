import { Agent, buildConnector, DecoratorHandler, type Dispatcher } from "undici";
import { onAbort } from "../base/abort.js";
import {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../base/transport.js";
import { createTrustingContext } from "./authorities.js";
import { toConnectionError } from "./connection-failures.js";
import { type Environment, findProxy, type NamedProxy } from "./proxy.js";
import { readText } from "./response-bounds.js";
import { skipInterimResponses } from "./skip-interim-responses.js";
import { type Opening, openTunnel, proxyAuthorization, refusal } from "./tunnel.js";

interface NetworkTransportOptions {
  /** `HTTPS_PROXY`, `ALL_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in capitals or not. Default: no proxy. */
  env?: Environment;
  /** Certificates, as PEM, of authorities to trust besides those that Node trusts. */
  authorities?: string | undefined;
}

/** A transport that holds connections until it is closed. */
export interface NetworkTransport {
  transport: Transport;
  /** Ends its connections, with whatever is under way on them. */
  close(): Promise<void>;
}

/** A connection that is not waited for any more is given up. */
const openingMilliseconds = 60_000;
/** An idle connection is given up before usual servers end it: a request on one that is just ended would be lost. */
const idleMilliseconds = 4_000;

/**
 * Requests over the network, with kept connections. Follows no redirect and repeats nothing; passes over 1xx answers.
 * Its transport throws ConnectionError; also for a request that its signal ended, so that the caller learns whether
 * it may have been sent.
 */
export function createNetworkTransport({
  env = {},
  authorities,
}: NetworkTransportOptions = {}): NetworkTransport {
  const opening = new Set<Opening>();
  const secureContext = authorities === undefined ? undefined : createTrustingContext(authorities, env);
  const open = buildConnector({ timeout: openingMilliseconds, ...(secureContext && { secureContext }) });
  const connect = async (options: buildConnector.Options): Promise<buildConnector.Options> => {
    const hostname = options.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = Number(options.port || 443);
    // Plain http goes through a proxy without a tunnel: the proxy is the host that is asked.
    const proxy = options.protocol === "https:" ? findProxy(addressOf(hostname, port), env) : undefined;
    const httpSocket = proxy && (await openTunnel(proxy, { hostname, port }, { opening, secureContext }));
    return { ...options, ...(httpSocket && { httpSocket }) };
  };
  const agent = new Agent({
    keepAliveTimeout: idleMilliseconds,
    // The client bounds an attempt itself, a download by how much comes.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, created) {
      connect(options).then(
        (ready) =>
          open(ready, (error, socket) => {
            if (socket) created(null, skipInterimResponses(socket));
            else created(toConnectionError(error, false), null);
          }),
        (error: unknown) => created(toConnectionError(error, false), null),
      );
    },
  });
  return {
    transport: (url, options) => send(agent, new URL(url), options, findProxy(new URL(url), env)),
    async close() {
      for (const connection of opening) connection.destroy();
      await agent.destroy();
    },
  };
}

function addressOf(hostname: string, port: number): URL {
  return new URL(`https://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`);
}

async function send(
  agent: Agent,
  url: URL,
  { method, headers, body, signal }: TransportRequest,
  proxy: NamedProxy | undefined,
): Promise<TransportResponse> {
  // Set when the request gets its connection, before its first byte.
  const progress = { sent: false };
  const watched = agent.compose(
    (dispatch) => (options, handler) => dispatch(options, new SendWatch(handler, progress)),
  );
  const isForwarded = url.protocol === "http:" && proxy !== undefined;
  const ended = () =>
    new ConnectionError("the request was ended", progress.sent, "ABORTED", {
      via: progress.sent ? undefined : proxy?.name,
    });
  const pendingResponse = watched.request({
    // RFC 9112, 3.2.2: a proxy is told the whole address.
    ...(isForwarded
      ? { origin: `http://${proxy.hostname}:${proxy.port}`, path: url.href }
      : { origin: url.origin, path: url.pathname + url.search }),
    method: toHttpMethod(method),
    headers: isForwarded ? { ...headers, host: url.host, ...proxyAuthorization(proxy) } : headers,
    body: body ?? null,
    signal: signal ?? null,
  });
  let response: Dispatcher.ResponseData;
  try {
    response = await rejectOnAbort(pendingResponse, signal);
  } catch (error) {
    if (signal?.aborted) throw ended();
    // Undici's own connection to a proxy that forwards: it is the proxy that can't be reached.
    const whom = isForwarded && !progress.sent ? proxy.name : undefined;
    throw toConnectionError(whom === undefined ? error : getCause(error), progress.sent, whom);
  }
  const { statusCode: status } = response;
  if (status === 407 && proxy?.type === "http" && isForwarded) {
    await response.body.dump();
    throw refusal(proxy, status);
  }
  return toTransportResponse(response);
}

/** The error that the connector made a ConnectionError of. */
function getCause(error: unknown): unknown {
  return error instanceof ConnectionError ? error.cause : error;
}

/** A request that waits for its connection is not ended by its signal until it has one. */
function rejectOnAbort<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return pending;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    onAbort(signal, abort);
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Tells that a request has its connection: what follows may arrive. */
class SendWatch extends DecoratorHandler {
  constructor(
    private readonly next: Dispatcher.DispatchHandler,
    private readonly progress: { sent: boolean },
  ) {
    super(next);
  }
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.next.onRequestStart?.(controller, context);
    // A request whose signal has ended already is dropped right here, before its first byte.
    this.progress.sent = !controller.aborted;
  }
}

function toHttpMethod(method: string): Dispatcher.HttpMethod {
  switch (method) {
    case "GET":
    case "POST":
    case "PUT":
    case "PATCH":
    case "DELETE":
    case "HEAD":
      return method;
    default:
      throw new TypeError(`no method of this service: ${method}`);
  }
}

function toTransportResponse({ statusCode, headers, body }: Dispatcher.ResponseData): TransportResponse {
  return {
    status: statusCode,
    headers: joined(headers),
    body: pieces(body),
    text: () => readText(pieces(body)),
  };
}

async function* pieces(response: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* response;
  } catch (error) {
    throw toConnectionError(error, true);
  }
}

function joined(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}
