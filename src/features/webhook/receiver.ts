import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { waitForAbort } from "../../base/abort.js";
import type { Header, Received, WebhookResponse } from "./exchange.js";

/** In bytes; the limit keeps unknown clients from exhausting the memory. */
const maximumBody = 1 << 20;
const maximumConnections = 16;
const idleMilliseconds = 5_000;
/** Time for pending responses when the receiver stops. */
const lastMilliseconds = 1_000;

export interface Receiver {
  /** `http://127.0.0.1:4020` */
  url: string;
  /** Stops the receiver. Ends delays early, and waits up to one second for pending responses. */
  close(): Promise<void>;
}

interface Handled {
  /** Undefined to close the connection without a response. */
  response: WebhookResponse | undefined;
  /**
   * Called after the response has been sent or the client has disconnected, so that this function can't delay
   * the response.
   */
  onSent?(): void;
}

/** @param signal aborted when the client disconnects or the receiver stops */
export type Handle = (request: Received, signal: AbortSignal) => Promise<Handled>;

/**
 * Refuses unreadable requests and bodies over 1 MiB without calling `handle`.
 * @throws the system's error if it can't listen on the address
 */
export async function startReceiver(options: {
  host: string;
  port: number;
  now: () => number;
  handle: Handle;
  /** Called after the response to a request whose body is over 1 MiB. */
  refused?: (request: Pick<Received, "at" | "method" | "path">) => void;
}): Promise<Receiver> {
  const ending = new AbortController();
  const making = new Set<ServerResponse>();
  const responding = new Set<Promise<void>>();
  const server = createServer((message, response) => {
    response.once("close", () => making.delete(response));
    const done = respond(message, response, { ...options, made: () => making.add(response) }, ending.signal)
      .catch(() => void response.destroy())
      .finally(() => responding.delete(done));
    responding.add(done);
  });
  server.maxConnections = maximumConnections;
  server.keepAliveTimeout = idleMilliseconds;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      ending.abort();
      await waitUntilWritten(making);
      server.closeAllConnections();
      await closed;
      await Promise.all(responding);
    },
  };
}

async function waitUntilWritten(responses: ReadonlySet<ServerResponse>): Promise<void> {
  const late = AbortSignal.timeout(lastMilliseconds);
  await Promise.all(
    [...responses].map((response) => once(response, "close", { signal: late }).catch(() => undefined)),
  );
}

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  {
    now,
    handle,
    refused,
    made,
  }: Pick<Parameters<typeof startReceiver>[0], "now" | "handle" | "refused"> & { made: () => void },
  ending: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const at = new Date(now()).toISOString();
  const body = await readBody(message);
  made();
  if (body === undefined) {
    response.writeHead(413, { connection: "close", "content-type": "text/plain" });
    response.end("the body is over 1 MiB\n");
    await waitForAbort(gone.signal);
    refused?.({ at, method: message.method ?? "", path: message.url ?? "" });
    return;
  }
  const { method = "", url = "" } = message;
  const request: Received = { at, method, path: url, headers: toHeaders(message.rawHeaders), body };
  const { response: given, onSent } = await handle(request, AbortSignal.any([gone.signal, ending]));
  if (given === undefined) message.socket.destroy();
  else if (!response.destroyed) {
    response.writeHead(given.status, given.headers.flat());
    response.end(given.body);
  }
  await waitForAbort(gone.signal);
  onSent?.();
}

async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > maximumBody) {
      // Read the remaining body, because some clients read the response only after they have sent the whole
      // body.
      message.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toHeaders(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return headers;
}
