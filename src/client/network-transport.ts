import {
  type ClientRequest,
  type ClientRequestArgs,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../base/transport.js";
import { trusting } from "./authorities.js";
import { connectionError } from "./connection-failures.js";
import { type Environment, type NamedProxy, proxyFor } from "./proxy.js";
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
  const secureContext = authorities === undefined ? undefined : trusting(authorities, env);
  const parts: Parts = { opening, env, secureContext };
  const agents: Agents = { plain: new PlainAgent(parts), secure: new SecureAgent(parts) };
  return {
    transport: (url, options) => send(agents, url, options, proxyFor(new URL(url), env)),
    async close() {
      agents.plain.destroy();
      agents.secure.destroy();
      for (const one of opening) one.destroy();
    },
  };
}

interface Parts {
  /** Connections that are not through yet: the agents know of them only when they are. */
  opening: Set<Opening>;
  env: Environment;
  secureContext: SecureContext | undefined;
}

interface Agents {
  plain: HttpAgent;
  secure: HttpsAgent;
}

/** An idle connection is given up before usual servers end it: a request on one that is just ended would be lost. */
const idleMilliseconds = 4_000;
const pool = { keepAlive: true, timeout: idleMilliseconds };
/** A connection that nobody waits for any more. */
const openingMilliseconds = 60_000;

type Created = (error: Error | null, connection: Duplex) => void;

/** Hands a connection out when it stands, so that a request that has one is being sent. */
class PlainAgent extends HttpAgent {
  constructor(private readonly parts: Parts) {
    super(pool);
  }
  override createConnection(options: ClientRequestArgs, created?: Created): undefined {
    hand(ready(super.createConnection(options), "connect", this.parts), created);
  }
}

/** The same with TLS, through a proxy where one is named. */
class SecureAgent extends HttpsAgent {
  constructor(private readonly parts: Parts) {
    super({ ...pool, ...(parts.secureContext && { secureContext: parts.secureContext }) });
  }
  override createConnection(options: ClientRequestArgs, created?: Created): undefined {
    hand(this.open(options), created);
  }
  private async open(options: ClientRequestArgs): Promise<Duplex> {
    const hostname = options.host ?? "";
    const port = Number(options.port ?? 443);
    const proxy = proxyFor(addressOf(hostname, port), this.parts.env);
    const socket = proxy && (await openTunnel(proxy, { hostname, port }, this.parts));
    return ready(
      super.createConnection({ ...options, ...(socket && { socket }) }),
      "secureConnect",
      this.parts,
    );
  }
}

function addressOf(hostname: string, port: number): URL {
  return new URL(`https://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`);
}

function hand(opened: Promise<Duplex>, created: Created | undefined): void {
  opened.then(
    (connection) => created?.(null, connection),
    // The agent looks at the error first; its type wants a connection all the same.
    (error: Error) => created?.(error, new Duplex().destroy()),
  );
}

function ready(
  connection: Duplex | null | undefined,
  event: "connect" | "secureConnect",
  { opening }: Parts,
): Promise<Duplex> {
  if (!connection) throw new TypeError("no connection was made");
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => connection.destroy(timedOut()), openingMilliseconds).unref();
    opening.add(connection);
    const settled = () => {
      clearTimeout(timer);
      opening.delete(connection);
    };
    // Stays: until the agent listens, nobody else does.
    connection.on("error", (error) => {
      settled();
      reject(connectionError(error, false));
    });
    connection.once("close", () => {
      settled();
      reject(new ConnectionError("the connection was cut", false, "ECONNRESET"));
    });
    connection.once(event, () => {
      settled();
      resolve(connection);
    });
  });
}

function timedOut(): Error {
  return Object.assign(new Error("the host did not answer in time"), { code: "ETIMEDOUT" });
}

function send(
  agents: Agents,
  url: string,
  options: TransportRequest,
  proxy: NamedProxy | undefined,
): Promise<TransportResponse> {
  const { signal } = options;
  const via = proxy?.name;
  return new Promise((resolve, reject) => {
    let sent = false;
    const ended = () =>
      new ConnectionError("the request was ended", sent, "ABORTED", { via: sent ? undefined : via });
    if (signal?.aborted) {
      reject(ended());
      return;
    }
    const request = begin(agents, new URL(url), options, proxy);
    const abort = () => {
      reject(ended());
      request.destroy(ended());
    };
    signal?.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal?.removeEventListener("abort", abort));
    // It has its connection: what follows may arrive.
    request.once("socket", () => {
      sent = true;
    });
    request.on("error", (error) => reject(connectionError(error, sent)));
    request.once("response", (response) => {
      const status = response.statusCode ?? 0;
      if (status === 407 && proxy?.kind === "http" && url.startsWith("http:")) {
        response.destroy();
        reject(refusal(proxy, status));
        return;
      }
      resolve(answerOf(response, status));
    });
    request.end(options.body);
  });
}

function begin(
  agents: Agents,
  url: URL,
  { method, headers, body }: TransportRequest,
  proxy: NamedProxy | undefined,
): ClientRequest {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const path = url.pathname + url.search;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const all = { ...headers, ...length };
  if (url.protocol === "https:")
    return httpsRequest({
      agent: agents.secure,
      host: hostname,
      port: url.port || 443,
      path,
      method,
      headers: all,
    });
  if (!proxy)
    return httpRequest({
      agent: agents.plain,
      host: hostname,
      port: url.port || 80,
      path,
      method,
      headers: all,
    });
  // RFC 9112, 3.2.2: a proxy is told the whole address.
  return httpRequest({
    agent: agents.plain,
    host: proxy.hostname,
    port: proxy.port,
    path: url.href,
    method,
    headers: { ...all, host: url.host, ...proxyAuthorization(proxy) },
  });
}

function answerOf(response: IncomingMessage, status: number): TransportResponse {
  return {
    status,
    headers: joined(response.headers),
    body: pieces(response),
    async text() {
      const read: Uint8Array[] = [];
      for await (const piece of pieces(response)) read.push(piece);
      return new TextDecoder().decode(Buffer.concat(read));
    },
  };
}

async function* pieces(response: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* response;
  } catch (error) {
    throw connectionError(error, true);
  }
}

function joined(headers: IncomingMessage["headers"]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}
