import { lookup } from "node:dns";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { BlockList, isIP } from "node:net";
import { abortAfter } from "../../base/abort.js";

export const webhookTimeoutMilliseconds = 5_000;
const maximumBytes = 65_536;

export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookOutcome {
  /** The response, as far as it was received. */
  response: WebhookResponse | null;
  error: string | null;
  isTimeout?: boolean;
}

const privateTargets = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  privateTargets.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  // Include ranges that embed an IPv4 address: a gateway may translate such an address to an internal
  // address.
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  privateTargets.addSubnet(network, prefix, "ipv6");
}

function isPrivate(address: string): boolean {
  return privateTargets.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

const createTargetError = (address: string) =>
  new Error(`${address} is a loopback or private address; to allow it, use --allow-private-webhooks`);

/** Node calls this function for each connection, so no host name can bypass the check. */
const publicLookup: RequestOptions["lookup"] = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const privateAddress = addresses?.find(({ address }) => isPrivate(address));
    if (error) callback(error, []);
    else if (privateAddress) callback(createTargetError(privateAddress.address), []);
    else if (options.all) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? "", addresses[0]?.family);
  });
};

/**
 * Never throws, because `error` describes any failure; doesn't follow redirects.
 * @param headers headers in order; a later header replaces an earlier one with the same name
 */
export async function sendWebhook(
  address: string,
  headers: readonly (readonly [string, string])[],
  body: string,
  options: { allowPrivate: boolean; timeoutMilliseconds?: number | undefined; signal?: AbortSignal },
): Promise<WebhookOutcome> {
  const { timeoutMilliseconds = webhookTimeoutMilliseconds } = options;
  try {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (!options.allowPrivate && isIP(host) && isPrivate(host)) throw createTargetError(host);
    const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
    const ends = [abortAfter(timeoutMilliseconds), ...(options.signal ? [options.signal] : [])];
    const message = request(url, {
      method: "POST",
      agent: false,
      signal: AbortSignal.any(ends),
      ...(options.allowPrivate ? {} : { lookup: publicLookup }),
    });
    for (const [name, value] of headers) message.setHeader(name, value);
    return await sendMessage(message, body);
  } catch (error) {
    return {
      response: null,
      error: formatReason(error, timeoutMilliseconds),
      isTimeout: isAbort(error),
    };
  }
}

function sendMessage(message: ClientRequest, body: string): Promise<WebhookOutcome> {
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    message.on("error", reject);
    // A connection that closes or changes its protocol may emit one of these events instead of `error`.
    message.on(
      "close",
      () => hasResponse || reject(new Error("the connection was closed without a response")),
    );
    message.on("upgrade", (response, socket) => {
      socket.destroy();
      reject(
        new Error(
          `responded with ${response.statusCode}: switching to a different protocol is not supported`,
        ),
      );
    });
    message.on("response", (response) => {
      hasResponse = true;
      read(response).then((bytes) => resolve(evaluateResponse(response, bytes)), reject);
    });
    message.end(body);
  });
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > maximumBytes) break;
  }
  return Buffer.concat(chunks);
}

function evaluateResponse(message: IncomingMessage, bytes: Buffer): WebhookOutcome {
  const status = message.statusCode ?? 0;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const response = { status, headers, body: bytes.subarray(0, maximumBytes).toString("utf8") };
  const error =
    bytes.length > maximumBytes
      ? "the response is longer than 64 KiB"
      : status >= 300 && status < 400
        ? `responded with ${status}; redirects are not followed`
        : status < 200 || status >= 300
          ? `responded with ${status}`
          : null;
  return { response, error };
}

function formatReason(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return String(error);
  if (isAbort(error)) return `no response within ${timeoutMilliseconds / 1_000} s`;
  // The host has several addresses, and all of them failed.
  if (error instanceof AggregateError)
    return error.errors.map((cause) => formatReason(cause, timeoutMilliseconds)).join("; ");
  return error.message;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
}
