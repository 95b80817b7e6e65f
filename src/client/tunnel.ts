import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { ConnectionError } from "../base/transport.js";
import { toConnectionError } from "./connection-failures.js";
import type { NamedProxy } from "./proxy.js";

export interface Opening {
  destroy(error?: Error): unknown;
}

interface TunnelParts {
  opening: Set<Opening>;
  /** Trusted certificate authorities for an https proxy (default: Node's). */
  secureContext: SecureContext | undefined;
}

/**
 * Opens a connection to a host through a proxy, without sending data to the host.
 * @throws ConnectionError that names the proxy
 */
export function openTunnel(
  proxy: NamedProxy,
  target: { hostname: string; port: number },
  parts: TunnelParts,
): Promise<Socket> {
  return proxy.type === "socks5" ? socksTunnel(proxy, target, parts) : connectTunnel(proxy, target, parts);
}

/** Opens a tunnel with CONNECT (RFC 9110, 9.3.6). */
function connectTunnel(
  proxy: NamedProxy,
  { hostname, port }: { hostname: string; port: number },
  { opening, secureContext }: TunnelParts,
): Promise<Socket> {
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const options = {
    host: proxy.hostname,
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, "user-agent": "voxctl", ...proxyAuthorization(proxy) },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const request =
      proxy.type === "https"
        ? httpsRequest({ ...options, ...(secureContext && { secureContext }) })
        : httpRequest(options);
    opening.add(request);
    request.on("error", (error) => reject(toConnectionError(error, false, proxy.name)));
    request.on("close", () => opening.delete(request));
    // Node emits `connect` for every status, because a response to CONNECT has no body.
    request.once("connect", (response, socket, head) => {
      const status = response.statusCode ?? 0;
      socket.on("error", () => {});
      if (status >= 200 && status < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refusal(proxy, status));
    });
    request.end();
  });
}

export function proxyAuthorization({ credentials }: NamedProxy): Record<string, string> {
  if (!credentials) return {};
  const { username, password } = credentials;
  const encoded = Buffer.from(`${username}:${password}`).toString("base64");
  return { "proxy-authorization": `Basic ${encoded}` };
}

/** Returns the error for a response from the proxy itself: the request did not reach the host. */
export function refusal(proxy: NamedProxy, status: number): ConnectionError {
  const wantsLogin = status === 407;
  const reason = wantsLogin
    ? proxy.credentials
      ? "the user name and password in the proxy's URL were rejected"
      : "a user name and password are required"
    : status >= 500
      ? "the service could not be reached"
      : "the connection was refused";
  return new ConnectionError(`${proxy.name} responded with ${status}: ${reason}`, false, `PROXY_${status}`, {
    // Statuses of 500 and above are temporary; other refusals are permanent.
    permanent: status < 500,
    hint: wantsLogin
      ? "set the user name and password in the proxy's URL: http://USER:PASSWORD@HOST:PORT, or add the host to NO_PROXY"
      : "to connect without a proxy, add the host to NO_PROXY",
    via: proxy.name,
  });
}

const socksReplies: Readonly<Record<number, string>> = {
  1: "the proxy failed",
  2: "the connection was refused",
  3: "the network can't be reached",
  4: "the host can't be reached",
  5: "the host refused the connection",
  6: "the connection timed out",
  7: "CONNECT is not supported",
  8: "this type of address is not supported",
};

/** Opens a tunnel with SOCKS5 (RFC 1928 and 1929). The proxy resolves the host name. */
async function socksTunnel(
  proxy: NamedProxy,
  target: { hostname: string; port: number },
  { opening }: TunnelParts,
): Promise<Socket> {
  const socket = connect({ host: proxy.hostname, port: proxy.port, noDelay: true });
  // Add a listener, because an error between two steps would otherwise be uncaught.
  socket.on("error", () => {});
  opening.add(socket);
  try {
    return await greet(socket, proxy, target);
  } catch (error) {
    socket.destroy();
    throw toConnectionError(error, false, proxy.name);
  } finally {
    opening.delete(socket);
  }
}

async function greet(
  socket: Socket,
  proxy: NamedProxy,
  target: { hostname: string; port: number },
): Promise<Socket> {
  const read = reader(socket);
  const failed = (reason: string, permanent: boolean) =>
    new ConnectionError(`${proxy.name}: ${reason}`, false, "PROXY_SOCKS", { permanent, via: proxy.name });
  const { credentials } = proxy;
  socket.write(Buffer.from([5, 1, credentials ? 2 : 0]));
  const [version, method] = await read(2);
  if (version !== 5) throw failed("the server is not a SOCKS5 proxy", true);
  if (method === 2 && credentials) {
    const [user, password] = [Buffer.from(credentials.username), Buffer.from(credentials.password)];
    socket.write(
      Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]),
    );
    const [, state] = await read(2);
    if (state !== 0) throw failed("the user name and password in the proxy's URL were rejected", true);
  } else if (method !== 0) {
    throw failed(
      credentials ? "a user name and password are not accepted" : "a user name and password are required",
      true,
    );
  }
  const host = Buffer.from(target.hostname);
  const port = Buffer.from([target.port >> 8, target.port & 0xff]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, host.length]), host, port]));
  const [, reply = 1, , addressType] = await read(4);
  if (reply !== 0) throw failed(socksReplies[reply] ?? `unknown reply ${reply}`, reply === 2 || reply > 6);
  // Skip the address from which the proxy connects.
  const length = addressType === 4 ? 16 : addressType === 3 ? ((await read(1))[0] ?? 0) : 4;
  await read(length + 2);
  return socket;
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  return (length) =>
    new Promise((resolve, reject) => {
      const done = () => {
        socket.off("readable", look).off("error", fail).off("close", closed);
      };
      const fail = (error: Error) => {
        done();
        reject(error);
      };
      const closed = () => fail(Object.assign(new Error("it closed the connection"), { code: "ECONNRESET" }));
      const look = () => {
        const bytes: unknown = socket.read(length);
        if (!Buffer.isBuffer(bytes)) return;
        done();
        resolve(bytes);
      };
      socket.on("readable", look).on("error", fail).on("close", closed);
      look();
    });
}
