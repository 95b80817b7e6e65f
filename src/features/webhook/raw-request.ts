import type { IncomingMessage } from "node:http";
import { ConnectionError } from "../../base/transport.js";
import { toConnectionError } from "../../client/connection-failures.js";
import { ResponseTooLargeError, readBytes } from "../../client/response-bounds.js";
import { connectionHeaders } from "../../contract/connection-headers.js";
import type { Header, WebhookResponse } from "./exchange.js";

/** Removes headers that apply only to one connection. Keeps the order. */
export function filterForwardedHeaders(headers: readonly Header[]): Header[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((headerName) => headerName.trim().toLowerCase()));
  const dropped = new Set([...connectionHeaders, ...named]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/**
 * Sends a request on a new connection. Keeps the order of the headers.
 * @param target URL of the host; its path is ignored
 * @throws ConnectionError if there is no response; the signal's reason if the signal is aborted
 */
export async function sendRawRequest(
  target: URL,
  { method, path, headers, body }: { method: string; path: string; headers: readonly Header[]; body: Buffer },
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const { request } = target.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request({
      protocol: target.protocol,
      hostname: target.hostname.replace(/^\[|\]$/g, ""),
      port: target.port,
      method,
      path,
      agent: false,
      signal,
      // Node.js keeps the order and case of headers in an array.
      headers: [
        ...headers,
        ["Host", target.host],
        ["Content-Length", String(body.length)],
        ["Connection", "close"],
      ].flat(),
    });
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : toConnectionError(error, true)));
    sent.on("response", (message) => readResponse(message).then(resolve, reject));
    sent.end(body);
  });
}

async function readResponse(message: IncomingMessage): Promise<WebhookResponse> {
  const body = await readBytes(message).catch((error: unknown) => {
    throw error instanceof ResponseTooLargeError ? new ConnectionError(error.message, true) : error;
  });
  const headers: Header[] = [];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2)
    headers.push([message.rawHeaders[index] ?? "", message.rawHeaders[index + 1] ?? ""]);
  return { status: message.statusCode ?? 0, headers: filterForwardedHeaders(headers), body };
}
