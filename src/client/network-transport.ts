import { Agent, buildConnector, DecoratorHandler, type Dispatcher } from "undici";
import { onAbort } from "../base/abort.js";
import {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../base/transport.js";
import { once } from "../contract/once.js";
import { createTrustingContext, readSslCertFile } from "./authorities.js";
import { toConnectionError } from "./connection-failures.js";
import { type Environment, findProxy, type NamedProxy } from "./proxy.js";
import { maximumResponseBytes, readText } from "./response-bounds.js";
import { skipInterimResponses } from "./skip-interim-responses.js";
import { type Opening, openTunnel, proxyAuthorization, refusal } from "./tunnel.js";

interface NetworkTransportOptions {
  /**
   * Environment with the proxy variables `HTTPS_PROXY`, `ALL_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in upper or
   * lower case (default: no proxy).
   */
  env?: Environment;
  /** PEM certificates to trust, in addition to the certificates of Node and SSL_CERT_FILE. */
  authorities?: string | undefined;
}

export interface NetworkTransport {
  transport: Transport;
  close(): Promise<void>;
}

const openingMilliseconds = 60_000;
/**
 * Time after which the client closes an idle connection. Most servers close it later. If a server closed the
 * connection first, a request sent at that moment would be lost.
 */
const idleMilliseconds = 4_000;

/**
 * Creates a transport that keeps connections open. It follows no redirects and repeats no requests. For an
 * aborted request, it throws a ConnectionError that states whether the request might have been sent.
 */
export function createNetworkTransport({
  env = {},
  authorities,
}: NetworkTransportOptions = {}): NetworkTransport {
  const opening = new Set<Opening>();
  // Read the system's certificate authorities only for https, because reading them takes 0.2 s.
  const getTls = once(() => {
    const trusted = [authorities, readSslCertFile(env)].filter((certificates) => certificates !== undefined);
    const secureContext = trusted.length === 0 ? undefined : createTrustingContext(trusted.join("\n"), env);
    const open = buildConnector({ timeout: openingMilliseconds, ...(secureContext && { secureContext }) });
    return { secureContext, open };
  });
  const openPlain = buildConnector({ timeout: openingMilliseconds });
  const prepare = async (options: buildConnector.Options) => {
    // Plain http needs no tunnel: the proxy receives the request itself.
    if (options.protocol !== "https:") return { open: openPlain, options };
    const { secureContext, open } = getTls();
    const hostname = options.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = Number(options.port || 443);
    const proxy = findProxy(addressOf(hostname, port), env);
    const httpSocket = proxy && (await openTunnel(proxy, { hostname, port }, { opening, secureContext }));
    return { open, options: { ...options, ...(httpSocket && { httpSocket }) } };
  };
  const agent = new Agent({
    keepAliveTimeout: idleMilliseconds,
    // The client sets its own time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, created) {
      prepare(options).then(
        ({ open, options }) =>
          open(options, (error, socket) => {
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
  { method, headers, body, signal, mayStart }: TransportRequest,
  proxy: NamedProxy | undefined,
): Promise<TransportResponse> {
  // `sent` is set when the request gets a connection, right before the first byte is sent.
  const progress = { sent: false };
  const watched = agent.compose(
    (dispatch) => (options, handler) => dispatch(options, new SendWatch(handler, progress, mayStart)),
  );
  const isForwarded = url.protocol === "http:" && proxy !== undefined;
  const ended = () =>
    new ConnectionError("the request was aborted", progress.sent, "ABORTED", {
      via: progress.sent ? undefined : proxy?.name,
    });
  const pendingResponse = watched.request({
    // A request to a proxy must contain the complete URL (RFC 9112, 3.2.2).
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
    // If nothing was sent, the connection to the proxy failed.
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

function getCause(error: unknown): unknown {
  return error instanceof ConnectionError ? error.cause : error;
}

/** Rejects at once if the signal is aborted. undici ignores an abort until the connection is open. */
function rejectOnAbort<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return pending;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    onAbort(signal, abort);
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

class SendWatch extends DecoratorHandler {
  constructor(
    private readonly next: Dispatcher.DispatchHandler,
    private readonly progress: { sent: boolean },
    private readonly mayStart: TransportRequest["mayStart"],
  ) {
    super(next);
  }
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.next.onRequestStart?.(controller, context);
    if (this.mayStart?.() === false)
      controller.abort(new Error("the request was canceled before it was sent"));
    // After an abort at this point, undici doesn't send the request.
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
      throw new TypeError(`unsupported method: ${method}`);
  }
}

function toTransportResponse({ statusCode, headers, body }: Dispatcher.ResponseData): TransportResponse {
  return {
    status: statusCode,
    headers: joined(headers),
    body: pieces(body),
    text: () => (isShort(headers) ? toText(body) : readText(pieces(body))),
  };
}

/** Returns whether a response certainly doesn't exceed the maximum size. Reading it at once takes less time. */
function isShort(headers: Dispatcher.ResponseData["headers"]): boolean {
  // undici refuses a chunked response that also declares a length.
  return Number(headers["content-length"] ?? Number.NaN) <= maximumResponseBytes;
}

async function toText(body: Dispatcher.ResponseData["body"]): Promise<string> {
  return body.text().catch((error: unknown) => {
    throw toConnectionError(error, true);
  });
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
