import { isLoopback } from "../base/loopback.js";
import { ClientError } from "./errors.js";

/**
 * Refuses an address that a key must not be sent to: anything but https, and plain http to loopback.
 * @throws ClientError `configuration`; its message does not repeat the address's credentials
 */
export function assertSafeAddress(address: string): void {
  safeAddress(address);
}

/** Returns an address in the form that `URL` produces. @throws as `assertSafeAddress` */
export function safeAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw refusal("invalid_address", "The base URL is not an http or https URL.");
  }
  if (url.username !== "" || url.password !== "") {
    throw refusal("invalid_address", "The base URL must not contain a user name or password.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refusal(
      "insecure_address",
      `API keys are not sent to ${url.hostname} over plain http; use https.`,
      "Plain http is only allowed for this machine (127.0.0.1, localhost).",
    );
  }
  return url.href;
}

/** Returns a path with its parameters. @throws ClientError `configuration` if one is missing or would change the path */
export function fillPath(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    // Dots would mean the parent path, and an empty value would be the list.
    if (value === undefined || value === "" || value === "." || value === "..") {
      throw refusal("invalid_path_parameter", `${name} is required and must identify one resource.`);
    }
    return encodeURIComponent(value);
  });
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Whether a path stays unchanged after an address in the form of `URL`: no parent path, nothing to encode, no query. */
const plainPath = /^(?:\/[\w-][\w.~%-]*)+$/;

/**
 * Returns the whole address of a request. A slash always separates base and path, so that the host stays the same.
 * @param baseUrl in the form that `URL` produces
 */
export function requestUrl(baseUrl: string, path: string, query?: Query): string {
  const base = baseUrl.endsWith("/") ? baseUrl.replace(/\/+$/, "") : baseUrl;
  if (query === undefined && plainPath.test(path)) return base + path;
  const url = new URL(`${base}/${path.replace(/^\/+/, "")}`);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url.href;
}

/** Returns the `https://host` of an address from `requestUrl`. */
export function originOf(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}

function refusal(code: string, message: string, hint?: string): ClientError {
  return new ClientError({ type: "configuration", code, message, retryable: false, outcome: "none", hint });
}
