import { BlockList, isIP } from "node:net";
import { isLoopback } from "../base/loopback.js";
import { ClientError } from "./errors.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface NamedProxy {
  type: "http" | "https" | "socks5";
  hostname: string;
  port: number;
  credentials: { username: string; password: string } | undefined;
  /** Name for messages, without credentials: `the proxy http://127.0.0.1:3128 (HTTPS_PROXY)`. */
  name: string;
}

/**
 * Returns the proxy for a URL. For https, it is the value of `HTTPS_PROXY` or, if that is not set,
 * `ALL_PROXY`. For plain http, it is the value of `HTTP_PROXY`, but only if the proxy runs on this machine,
 * because the proxy receives the key unencrypted. Lowercase names take precedence. `NO_PROXY` lists hosts
 * that need no proxy.
 * @throws ClientError `configuration` if the variable's value is not a proxy URL
 */
export function findProxy(url: URL, env: Environment): NamedProxy | undefined {
  const named = findProxyVariable(url, env);
  if (!named || isExcepted(url, readVariable(env, "NO_PROXY")?.value ?? "")) return undefined;
  const proxy = parseProxy(named.value, named.name);
  const carriesKeyInClear =
    url.protocol === "http:" && !(proxy.type === "http" && isLoopback(proxy.hostname));
  return carriesKeyInClear ? undefined : proxy;
}

function findProxyVariable(url: URL, env: Environment): { name: string; value: string } | undefined {
  const named =
    url.protocol === "https:"
      ? (readVariable(env, "HTTPS_PROXY") ?? readVariable(env, "ALL_PROXY"))
      : readVariable(env, "HTTP_PROXY");
  return named?.value === "" ? undefined : named;
}

function readVariable(env: Environment, name: string): { name: string; value: string } | undefined {
  for (const written of [name.toLowerCase(), name]) {
    const value = env[written];
    if (value !== undefined) return { name: written, value: value.trim() };
  }
  return undefined;
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const;
const proxyTypes: Readonly<Record<string, NamedProxy["type"]>> = {
  "http:": "http",
  "https:": "https",
  "socks:": "socks5",
  "socks5:": "socks5",
  "socks5h:": "socks5",
};

/** Error messages don't quote the value, because it may contain a password. */
function parseProxy(value: string, variable: string): NamedProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const type = proxyTypes[url?.protocol ?? ""];
  if (!url || !type || url.hostname === "")
    throw new ClientError({
      type: "configuration",
      code: "invalid_proxy",
      message: `${variable} is not a valid proxy URL: expected http://, https:// or socks5://`,
      retryable: false,
      outcome: "none",
      hint: `correct or unset ${variable}, or add the host to NO_PROXY`,
    });
  return {
    type,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? defaultPorts[type] : Number(url.port),
    credentials:
      url.username === "" ? undefined : { username: decoded(url.username), password: decoded(url.password) },
    name: `the proxy ${url.protocol}//${url.host} (${variable})`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An entry also matches its subdomains. */
function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isWithin(entry, host);
  const [, bracketed, plain, entryPort] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  // An entry with several colons and without brackets is an IPv6 address.
  const name = (bracketed ?? plain ?? entry).replace(/^\*?\./, "");
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

function isWithin(network: string, host: string): boolean {
  const [address = "", prefix = ""] = network.split("/");
  const [family, of] = [isIP(host), isIP(address)];
  const bits = Number(prefix);
  if (family === 0 || family !== of || !/^\d+$/.test(prefix) || bits > (of === 4 ? 32 : 128)) return false;
  const type = of === 4 ? "ipv4" : "ipv6";
  const block = new BlockList();
  block.addSubnet(address, bits, type);
  return block.check(host, type);
}
