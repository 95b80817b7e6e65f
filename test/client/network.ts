import { createServer, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { onTestFinished } from "vitest";
import { ConnectionError } from "../../src/base/transport.js";
import { createNetworkTransport } from "../../src/client/network-transport.js";

/** Listens on a free port until the test ends, then closes its connections. */
export async function listen(server: Server | TcpServer, host = "127.0.0.1"): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

export const serve = (handler: RequestListener): Promise<number> => listen(createServer(handler));

/** `handleConnection` runs after each request head; bodies are ignored. */
export function serveSockets(handleConnection: (socket: Socket) => void): Promise<number> {
  return listen(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => {
        if (data.includes("\r\n\r\n")) handleConnection(socket);
      });
    }),
  );
}

export function openTransport(env: Record<string, string> = {}, authorities?: string) {
  const { transport, close } = createNetworkTransport({ env, authorities });
  onTestFinished(close);
  return transport;
}

export const get = { method: "GET", headers: { accept: "application/json" } };
export const post = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };

export async function catchConnectionError(work: Promise<unknown>): Promise<ConnectionError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ConnectionError) return error;
  throw new Error(`no lost connection: ${String(error)}`);
}
