import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Io } from "../../../base/io.js";
import { isLoopback } from "../../../base/loopback.js";
import { findProxy } from "../../../client/proxy.js";
import { openTunnel } from "../../../client/tunnel.js";
import type { GuardAddress } from "./environment.js";

export interface Guard extends GuardAddress {
  /** Returns the method and URL of each blocked request. */
  refused(): readonly string[];
  close(): Promise<void>;
}

interface Destination {
  host: string;
  port: number;
}

/**
 * @param sources base URLs of the service's APIs
 * @param mode `host` blocks the service's host and port; `strict` blocks all hosts except this machine
 * @param env environment whose proxy variables apply to forwarded requests
 */
export async function openGuard(
  sources: readonly string[],
  mode: "host" | "strict",
  env: Io["env"],
): Promise<Guard> {
  const refused: string[] = [];
  const sockets = new Set<Duplex>();
  const kept = await Promise.all(sources.map((source) => resolveAddresses(toDestination(new URL(source)))));
  const isRefused = ({ host, port }: Destination) =>
    kept.some((source) => source.port === port && source.hosts.some((name) => isSameHost(host, name))) ||
    (mode === "strict" && !isLoopback(host));
  const refuse = (what: string) => {
    refused.push(what);
    return "a rehearsal can only use the copy of the service: send the request to VOXCTL_BASE_URL\n";
  };

  const server = createServer((message, response) => {
    const url = URL.canParse(message.url ?? "") ? new URL(message.url ?? "") : undefined;
    if (url?.protocol !== "http:") return endResponse(response, 400, "this is a proxy\n");
    const to = toDestination(url);
    if (isRefused(to))
      return endResponse(response, 403, refuse(`${message.method} ${url.origin}${url.pathname}`));
    forward(message, response, url, env);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("connect", (message: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    const url = URL.canParse(`https://${message.url}`) ? new URL(`https://${message.url}`) : undefined;
    if (!url) return client.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    const to = toDestination(url);
    if (isRefused(to)) {
      const text = refuse(`CONNECT ${message.url}`);
      return client.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
      );
    }
    openSocket(to, url, env).then(
      (upstream) => {
        sockets.add(upstream);
        upstream.on("close", () => sockets.delete(upstream));
        upstream.on("error", () => client.destroy());
        client.on("close", () => upstream.destroy());
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        if (head.length > 0) upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      },
      () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  return {
    url: `http://127.0.0.1:${getPort(server.address())}`,
    // If the service runs on this machine, requests to this machine must also go through the proxy.
    noProxy: kept.some(({ hosts }) => hosts.some(isLoopback)) ? "" : "localhost,127.0.0.1,::1",
    refused: () => refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function forward(message: IncomingMessage, response: ServerResponse, url: URL, env: Io["env"]): void {
  const proxy = findProxy(url, env);
  const via = proxy?.type === "http" ? proxy : undefined;
  const { "proxy-connection": _, "proxy-authorization": __, ...headers } = message.headers;
  const onward = request(
    {
      host: via?.hostname ?? getHost(url),
      port: via?.port ?? toDestination(url).port,
      method: message.method,
      path: via ? url.href : `${url.pathname}${url.search}`,
      headers,
      // Forward the client's Host header unchanged.
      setHost: false,
    },
    (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    },
  );
  onward.on("error", () =>
    response.headersSent ? response.destroy() : endResponse(response, 502, "no response\n"),
  );
  response.on("close", () => onward.destroy());
  message.pipe(onward);
}

async function openSocket({ host, port }: Destination, url: URL, env: Io["env"]): Promise<Socket> {
  const proxy = findProxy(url, env);
  if (proxy)
    return openTunnel(proxy, { hostname: host, port }, { opening: new Set(), secureContext: undefined });
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket));
    socket.once("error", reject);
  });
}

function endResponse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain" });
  response.end(text);
}

function toDestination(url: URL): Destination {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return { host: getHost(url), port };
}

async function resolveAddresses({ host, port }: Destination): Promise<{ hosts: string[]; port: number }> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return { hosts: [host, ...addresses.map(({ address }) => address)], port };
}

function getHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

/** All names of this machine count as equal. */
function isSameHost(left: string, right: string): boolean {
  return left === right || (isLoopback(left) && isLoopback(right));
}

function getPort(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
