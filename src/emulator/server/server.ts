import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { listenAt } from "../../base/listen-at.js";
import { publicPolicy } from "../public/policy.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import { invalid, Refusal } from "../refusal.js";
import { cutBody, type Respond } from "../transport.js";
import type { EmulatorServer, ListenOptions } from "../types.js";
import { type Cors, createCors } from "./cors.js";

/**
 * Maximum number of bytes to read: the limit of 1 MiB and one more byte, which shows that a body is too long.
 */
const readLimit = 1_048_577;

/** In bytes; undefined for the default. */
type ReadLimitOf = (request: RequestRecord) => number | undefined;

/** Number of event loop turns in which the closing server still reads requests that have reached its sockets. */
const idleTurns = 10;

interface Timeouts {
  /** Milliseconds until all headers must have arrived. */
  headers: number;
  /** Milliseconds until the complete request must have arrived. */
  request: number;
  /** Milliseconds between checks of all connections. */
  check: number;
}

const defaultTimeouts: Timeouts = { headers: 10_000, request: 30_000, check: 1_000 };

interface Reading {
  timeouts?: Timeouts;
  readLimitOf?: ReadLimitOf;
  isKnownPath?: (path: string) => boolean;
}

/** Time for a client to close its connection after the last response. */
const lingerMilliseconds = 2_000;

/**
 * Serves an emulator over HTTP. Only this file uses sockets.
 * @throws the system's error (EADDRINUSE …) if the server can't listen
 */
export async function listen(
  respond: Respond,
  options: ListenOptions,
  { timeouts = defaultTimeouts, readLimitOf = () => undefined, isKnownPath = () => false }: Reading = {},
): Promise<EmulatorServer> {
  // An empty host, for example from an unset variable, would listen on all addresses.
  const host = options.host || "127.0.0.1";
  const server = createServer({
    maxHeaderSize: 32_768,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    keepAliveTimeout: 30_000,
    // The code below refuses a missing Host in the same way as an unknown Host.
    requireHostHeader: false,
  });
  // A client can close its side of the connection and still wait for the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    listenAt(server, options.port ?? 4010, host);
  });
  const port = findPort(server);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const acceptedHosts = new Set(
    [host, `[${host}]`, "localhost", ...(options.allowHosts ?? [])].map((name) => name.toLowerCase()),
  );

  const cors = options.cors?.length ? createCors(options.cors, isKnownPath) : undefined;

  const later = createBatcher();
  const bad = createConnectionTracker();
  let ending = false;
  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    bad.watch(message, response);
    if (hasSeveralHosts(message)) {
      write(message, response, malformed("the request has more than one Host header"), true);
      return;
    }
    const { host, target } = parseAddress(message);
    // Refuse an unknown Host on all paths, to prevent DNS rebinding (emulator.md, "Control interface").
    const name = hostName(host);
    if (!acceptedHosts.has(name) && name !== reachedAddress(message)) {
      write(message, response, refusal("this Host is not allowed; see --allow-host"));
      return;
    }
    const cut = () => message.socket.destroy();
    const request: RequestRecord = {
      method: message.method ?? "GET",
      target,
      headers: collectHeaders(message),
      body: undefined,
    };
    const preflight = cors?.answerPreflight(request);
    if (preflight) {
      write(message, response, preflight, ending);
      return;
    }
    const corsHeaders = allowOrigin(cors, request);
    const respondTo = (record: ResponseRecord, closing: boolean) => {
      if (corsHeaders) Object.assign(record.headers, corsHeaders);
      write(message, response, record, closing || ending);
    };
    const handleBody = (body: Buffer | undefined, limit = readLimit) => {
      const closing = body !== undefined && body.length >= limit;
      try {
        request.body = body && decoded(body);
        const record = respond(request);
        // Don't await a response that is ready, because awaiting costs as much as handling several requests.
        if (!(record instanceof Promise)) later(() => respondTo(record.committed?.() ?? record, closing));
        else record.then((awaited) => respondTo(awaited, closing)).catch(cut);
      } catch {
        cut();
      }
    };
    if (!hasBody(message)) {
      handleBody(undefined);
      return;
    }
    const limit = readLimitOf(request) ?? readLimit;
    readBody(message, limit, (body) => handleBody(body, limit), cut);
  };
  server.on("request", onRequest);
  // Respond even if the Expect header is malformed.
  server.on("checkExpectation", onRequest);
  server.on("clientError", bad.refuse);

  return {
    url,
    port,
    async close() {
      ending = true;
      // Requests that have already arrived still get responses.
      for (let turn = 0; turn < idleTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      server.closeIdleConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        // Some clients keep connections open without a request, so close all connections after 2 s.
        setTimeout(() => server.closeAllConnections(), 2_000).unref();
      });
    },
  };
}

/**
 * Runs work after all arrived requests are read, so that a client wakes up only once for several responses.
 */
function createBatcher(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const run = () => {
    const works = waiting;
    waiting = [];
    for (const work of works) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(run);
    waiting.push(work);
  };
}

/** Tracks connections, so that a connection with invalid data can be closed. */
function createConnectionTracker() {
  /**
   * The newest request of each connection, and the response before it. Remove entries early: garbage
   * collection of long-lived objects would block the server.
   */
  const newest = new WeakMap<
    Duplex,
    { message: IncomingMessage; response: ServerResponse; before: ServerResponse | undefined }
  >();
  const refused = new WeakSet<Duplex>();
  const forget = (response: ServerResponse, { socket }: IncomingMessage) => {
    const newestRequest = newest.get(socket);
    if (newestRequest?.response === response) newest.delete(socket);
    else if (newestRequest?.before === response) newestRequest.before = undefined;
  };
  /** Ignores an incomplete request, because it gets no response. */
  const owedOn = (socket: Duplex): ServerResponse | undefined => {
    const newestRequest = newest.get(socket);
    const last = newestRequest?.message.complete ? newestRequest.response : newestRequest?.before;
    return last?.closed ? undefined : last;
  };
  return {
    watch(message: IncomingMessage, response: ServerResponse): void {
      const { socket } = message;
      newest.set(socket, { message, response, before: newest.get(socket)?.response });
      response.on("close", () => forget(response, message));
    },
    /** Sends the responses to accepted requests first, because those requests took effect. */
    refuse(error: Error, socket: Duplex): void {
      // Node reports each piece of invalid data, but the client needs only one response.
      if (refused.has(socket)) return;
      refused.add(socket);
      const end = () => {
        if (socket.writable) socket.end(unreadable(error));
        setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
      };
      const owed = owedOn(socket);
      if (owed) owed.once("close", end);
      else end();
    },
  };
}

/** A request with several Host headers is invalid, but Node keeps the first header (RFC 9112, 3.2). */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}

function findPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** If the target is an absolute URL, its host replaces the Host header (RFC 9112, 3.2.2). */
function parseAddress(message: IncomingMessage): { host: string | undefined; target: string } {
  const { host } = message.headers;
  const target = message.url ?? "/";
  if (target.startsWith("/") || !URL.canParse(target)) return { host, target };
  const address = new URL(target);
  return { host: address.host, target: address.pathname + address.search };
}

function unreadable(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  const [status, text] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "the request's headers are too large"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "the request was not completed in time"]
        : ["400 Bad Request", "invalid HTTP request"];
  const { headers, body } = malformed(text);
  const lines = Object.entries({
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/**
 * DNS rebinding can't forge the address to which the client connected, because the address is not a domain
 * name.
 */
function reachedAddress({ socket }: IncomingMessage): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, "");
  return address?.includes(":") ? `[${address}]` : address;
}

function hostName(host: string | undefined): string {
  return (host ?? "").toLowerCase().replace(/:\d+$/, "");
}

/** Omits `origin` if it is the server's own origin. */
function collectHeaders(message: IncomingMessage): Record<string, string | undefined> {
  // Only `set-cookie` can be a list, and this server doesn't use it.
  const headers = message.headers as Record<string, string | undefined>;
  const { origin } = headers;
  // All accepted Hosts name this server, so an origin that equals the Host is the server's own origin.
  if (origin === undefined || origin.toLowerCase() !== `http://${headers["host"]}`.toLowerCase())
    return headers;
  return { ...headers, origin: undefined };
}

/** Removes the origin from the request, because later checks refuse any origin. */
function allowOrigin(cors: Cors | undefined, request: RequestRecord): Record<string, string> | undefined {
  if (!cors?.isAllowed(request)) return undefined;
  const headers = cors.headersFor(request);
  request.headers = { ...request.headers, origin: undefined };
  return headers;
}

/** Returns whether a request has a body, according to its headers (RFC 9112, 6). */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/**
 * Returns bytes if the body is not UTF-8 or has a byte order mark, so that the handler can check the bytes.
 */
function decoded(body: Buffer): Buffer | string {
  return body[0] === 0xef || !isUtf8(body) ? body : body.toString();
}

/** Calls `broken` if the connection closes before the body's end. */
function readBody(
  message: IncomingMessage,
  limit: number,
  whole: (body: Buffer | undefined) => void,
  broken: () => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const end = () => whole(length === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length < limit) return;
    // Pause the message: destroying it would close the connection before the response is sent.
    message.off("data", onData).off("end", end).pause();
    end();
  };
  message.on("data", onData).on("end", end).on("error", broken);
}

function recordOf(status: number, reason: Refusal): ResponseRecord & { body: string } {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "X-Emulator-Rule": reason.rule },
    body: JSON.stringify(publicPolicy.errorBody(reason)),
  };
}

function malformed(text: string): ResponseRecord & { body: string } {
  return recordOf(400, invalid("public.errors.1", [{ path: [], message: text }]));
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
  // Node sends a string body together with the headers.
  const body = record.body ?? "";
  const headers: Record<string, string | number> = record.headers;
  headers["Content-Length"] = Buffer.byteLength(body);
  if (closing) headers["Connection"] = "close";
  response.writeHead(record.status, headers);
  if (record.disturbance === "truncate") {
    response.write(cutBody(record.body), () => message.socket.destroy());
    return;
  }
  response.end(body);
}
