import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Delivery } from "./exchange.js";
import type { Service } from "./service.js";

export interface Listening {
  origin: string;
  close(): Promise<void>;
}

export async function listen(service: Service): Promise<Listening> {
  const server = createServer((request, response) => {
    handleRequest(service, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  // Keep idle connections open, even if the client's process is slow.
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handleRequest(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  const delivery = await service.handle({
    method: request.method ?? "GET",
    target: request.url ?? "/",
    headers,
    body: Buffer.concat(parts).toString("utf8"),
  });
  send(delivery, response);
}

function send(
  { status, headers, body, interim, chunk, closes, reaches }: Delivery,
  response: ServerResponse,
): void {
  if (reaches === "nothing") {
    response.socket?.destroy();
    return;
  }
  for (const early of interim) writeInterim(response, early);
  response.sendDate = false;
  const length = chunk === undefined ? { "content-length": String(body.length) } : {};
  response.writeHead(status, { ...headers, ...length, ...(closes ? { connection: "close" } : {}) });
  if (typeof reaches === "number") {
    response.write(body.subarray(0, reaches), () => response.socket?.destroy());
    return;
  }
  if (chunk !== undefined)
    for (let at = 0; at < body.length; at += chunk) response.write(body.subarray(at, at + chunk));
  response.end(chunk === undefined ? body : undefined);
}

/** Writes to the socket, because node:http supports only some interim responses. */
function writeInterim({ socket }: ServerResponse, status: number): void {
  const link = status === 103 ? "Link: </style.css>; rel=preload\r\n" : "";
  socket?.write(`HTTP/1.1 ${status} Interim\r\n${link}\r\n`);
}
