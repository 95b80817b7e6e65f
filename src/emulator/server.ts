import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { publicPolicy } from "./public/surface.js";
import type { ResponseRecord } from "./records.js";
import { invalid, Refusal } from "./refusal.js";
import { cutBody, type Respond } from "./transport.js";
import type { EmulatorServer, ListenOptions } from "./types.js";

/** Bodies are read so far and no further: the pipeline refuses what is longer than 1 MiB. */
const readLimit = 1_048_577;

/**
 * Serves a world over HTTP: the only file that knows sockets.
 * @throws the system's error (EADDRINUSE …) when it can't listen
 */
export async function listen(respond: Respond, options: ListenOptions): Promise<EmulatorServer> {
  const host = options.host ?? "127.0.0.1";
  const server = createServer({
    maxHeaderSize: 32_768,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 30_000,
    // A request without a Host is refused here, as one with a foreign Host.
    requireHostHeader: false,
  });
  // Who closes his own side after the request still waits for the answer; node has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 4010, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const port = portOf(server);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const acceptedHosts = new Set(
    [host, `[${host}]`, "localhost", ...(options.allowHosts ?? [])].map((name) => name.toLowerCase()),
  );

  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    answer(message, response).catch(() => message.socket.destroy());
  };
  server.on("request", onRequest);
  // An expectation that is none is no reason not to answer.
  server.on("checkExpectation", onRequest);
  server.on("clientError", (error, socket) => {
    if (socket.writable) socket.end(unreadable(error));
  });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host, target } = addressOf(message);
    // emulator.md, "Control interface": a foreign Host is refused on every path, against DNS rebinding.
    if (!acceptedHosts.has(hostName(host))) {
      write(message, response, refusal("this Host is not served here; see --allow-host"));
      return;
    }
    const body = await readBody(message);
    const record = await respond({
      method: message.method ?? "GET",
      target,
      headers: headersOf(message),
      body,
    });
    write(message, response, record, body !== undefined && body.length >= readLimit);
  }

  return {
    url,
    port,
    async close() {
      server.closeIdleConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        // What is in flight is answered; a connection that stays open without asking is not waited for.
        setTimeout(() => server.closeAllConnections(), 2_000).unref();
      });
    },
  };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** RFC 9112, 3.2.2: a target may be a whole address, whose host then stands for the header's. */
function addressOf(message: IncomingMessage): { host: string | undefined; target: string } {
  const { host } = message.headers;
  const target = message.url ?? "/";
  if (target.startsWith("/") || !URL.canParse(target)) return { host, target };
  const address = new URL(target);
  return { host: address.host, target: address.pathname + address.search };
}

/** The answer to what could not be read as a request, as bytes. */
function unreadable(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  const [status, text] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "the request's headers are too large"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "the request did not come to its end in time"]
        : ["400 Bad Request", "this is no HTTP request"];
  const { headers, body } = recordOf(400, invalid("public.errors.1", [{ path: [], message: text }]));
  const lines = Object.entries({
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

function hostName(host: string | undefined): string {
  return (host ?? "").toLowerCase().replace(/:\d+$/, "");
}

/** Lower-case names; the server's own origin is told to the pipeline's control interface. */
function headersOf(message: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  // The accepted hosts are all this server: a page that it served itself is of the same origin.
  if (headers["origin"]?.toLowerCase() === `http://${headers["host"]}`.toLowerCase())
    delete headers["origin"];
  return headers;
}

async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Left early, the stream must stay: destroyed, it would take the connection and the answer with it.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= readLimit) break;
  }
  return length === 0 ? undefined : Buffer.concat(chunks);
}

function recordOf(status: number, reason: Refusal): ResponseRecord & { body: string } {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "X-Emulator-Rule": reason.rule },
    body: JSON.stringify(publicPolicy.errorBody(reason)),
  };
}

function refusal(text: string): ResponseRecord {
  return recordOf(403, new Refusal("forbidden", "emulator.control", text));
}

function write(
  message: IncomingMessage,
  response: ServerResponse,
  record: ResponseRecord,
  closing = false,
): void {
  if (record.disturbance === "drop") {
    message.socket.destroy();
    return;
  }
  const body = Buffer.from(record.body ?? "");
  const headers: Record<string, string | number> = { ...record.headers, "Content-Length": body.length };
  if (closing) headers["Connection"] = "close";
  response.writeHead(record.status, headers);
  if (record.disturbance === "truncate") {
    response.write(cutBody(record.body), () => message.socket.destroy());
    return;
  }
  response.end(body);
}
