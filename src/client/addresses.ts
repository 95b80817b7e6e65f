import { isLoopback } from "../base/loopback.js";
import { ClientError } from "./errors.js";

/**
 * Checks that API keys can be sent to an address: over https, or over plain http to this machine.
 * @throws ClientError `configuration`; its message contains no credentials from the address
 */
export function assertSafeAddress(address: string): void {
  safeAddress(address);
}

/** @throws ClientError like `assertSafeAddress` */
export function safeAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw refusal("invalid_address", "the base URL is not an http or https URL");
  }
  if (url.username !== "" || url.password !== "") {
    throw refusal("invalid_address", "the base URL must not contain a user name or password");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refusal(
      "insecure_address",
      `API keys are not sent to ${url.hostname} over plain http; use https`,
      "plain http is allowed only to this machine (127.0.0.1, localhost)",
    );
  }
  return url.href;
}

/** @throws ClientError `configuration` if a parameter is missing, empty, `.` or `..` */
export function fillPath(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    // A value such as `..` would change the path to its parent, and an empty value would request the list.
    if (value === undefined || value === "" || value === "." || value === "..") {
      throw refusal("invalid_path_parameter", `${name} is required and must identify one resource`);
    }
    return encodeURIComponent(value);
  });
}

/** Query parameters. Undefined values are omitted; a list is sent as one parameter per value. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Matches a path that `URL` would return unchanged. */
const plainPath = /^(?:\/[\w-][\w.~%-]*)+$/;

/**
 * Returns a request's complete URL. A slash always separates base URL and path, so that the path can't change
 * the host.
 * @param baseUrl URL that `URL` has normalized
 */
export function requestUrl(baseUrl: string, path: string, query?: Query): string {
  const base = baseUrl.endsWith("/") ? baseUrl.replace(/\/+$/, "") : baseUrl;
  if (query === undefined && plainPath.test(path)) return base + path;
  const url = new URL(`${base}/${path.replace(/^\/+/, "")}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item));
  }
  return url.href;
}

export function originOf(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}

function refusal(code: string, message: string, hint?: string): ClientError {
  return new ClientError({ type: "configuration", code, message, retryable: false, outcome: "none", hint });
}
