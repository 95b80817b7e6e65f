import { Agent, DecoratorHandler, type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { isLoopback } from "../base/loopback.js";
import { ConnectionError, type Transport, type TransportRequest } from "../base/transport.js";

interface UndiciTransportOptions {
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capitals or not. */
  env: Readonly<Record<string, string | undefined>>;
}

/** A transport that holds connections until it is closed. */
export interface UndiciTransport {
  transport: Transport;
  /** Ends idle connections; waits for what is in flight. */
  close(): Promise<void>;
}

/**
 * Requests over the network, with kept connections. Follows no redirect and repeats nothing.
 * Its transport throws ConnectionError; also for a request that its signal ended, so that the caller learns whether
 * it may have been sent.
 */
export function createUndiciTransport({ env }: UndiciTransportOptions): UndiciTransport {
  const dispatcher = createDispatcher(env);
  return {
    transport: (url, options) => send(dispatcher, url, options),
    close: () => dispatcher.close(),
  };
}

function createDispatcher(env: UndiciTransportOptions["env"]): Dispatcher {
  const variable = (name: string) => env[name.toLowerCase()] ?? env[name] ?? "";
  // Plain http goes to loopback only, so a proxy elsewhere would carry the key over the network in the clear.
  const httpProxy = onLoopback(variable("HTTP_PROXY"));
  const httpsProxy = variable("HTTPS_PROXY");
  if (httpProxy === "" && httpsProxy === "") return new Agent();
  // Empty texts keep it from reading the process's environment instead.
  return new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy: variable("NO_PROXY"),
    proxyTunnel: false,
  });
}

function onLoopback(proxy: string): string {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  return url && isLoopback(url.hostname) ? proxy : "";
}

async function send(dispatcher: Dispatcher, url: string, options: TransportRequest) {
  // Written to when the request gets its connection, before its first byte.
  const progress = { sent: false };
  const watched = dispatcher.compose((dispatch) => (dispatchOptions, handler) => {
    return dispatch(dispatchOptions, new SendWatch(handler, progress));
  });
  let response: Dispatcher.ResponseData;
  try {
    response = await request(url, {
      dispatcher: watched,
      method: asMethod(options.method),
      headers: options.headers,
      body: options.body ?? null,
      signal: options.signal ?? null,
    });
  } catch (error) {
    throw connectionError(error, progress.sent);
  }
  const { statusCode, headers, body } = response;
  return { status: statusCode, headers: joined(headers), body: pieces(body), text: () => text(body) };
}

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

function asMethod(method: string): Dispatcher.HttpMethod {
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

async function* pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw connectionError(error, true);
  }
}

async function text(body: { text(): Promise<string> }): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    throw connectionError(error, true);
  }
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}

/** What the system's codes mean to a person. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's address can't be looked up right now",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "the host did not answer in time",
  ETIMEDOUT: "the host did not answer in time",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  UND_ERR_ABORTED: "the request was ended",
  UND_ERR_HEADERS_TIMEOUT: "no answer came in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped coming",
};

function connectionError(error: unknown, maybeSent: boolean): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const code = codeOf(error);
  const told = error instanceof Error && error.message !== "" ? error.message : "the connection failed";
  const message = (code === undefined ? undefined : explanations[code]) ?? told;
  return new ConnectionError(message, maybeSent, code, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
