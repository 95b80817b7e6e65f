import { type ApiName, apis } from "../../contract/apis.js";
import { usageError } from "../errors/errors.js";

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns a base URL without a final slash.
 * @param source name in messages, such as `--url` or `VOXCTL_BASE_URL`
 * @throws usage error (2) for an invalid URL, plain HTTP to another machine, credentials in the URL, or
 * another API's path
 */
export function parseAddress(address: string, api: ApiName, source: string): string {
  if (!URL.canParse(address)) {
    // Don't quote a password, or a text without dots, slashes and colons, which may be a misplaced key.
    const shown = /[./:]/.test(address) && !address.includes("@") ? ` "${address}"` : "";
    throw usageError(`invalid ${source}${shown}: expected a URL such as https://host${apis[api].basePath}`);
  }
  const url = new URL(address);
  if (url.username || url.password)
    throw usageError(`invalid ${source}: a URL must not contain a user name or password`);
  if (url.search || url.hash)
    throw usageError(`invalid ${source} "${address}": expected a URL without ? or #`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw usageError(`invalid ${source} "${address}": expected https://, or http:// for this machine`);
  if (url.protocol === "http:" && !loopback.test(url.hostname)) {
    throw usageError(
      `invalid ${source} "${address}": http:// would send the key unencrypted to another machine`,
      { hint: "use https://" },
    );
  }
  const text = url.href.replace(/\/+$/, "");
  const path = apis[api].basePath;
  // The API documents specify each base URL's path; the legacy API uses the host alone.
  if (path !== "" && !text.endsWith(path)) {
    throw usageError(`invalid ${source} "${address}": expected a URL that ends with ${path}`, {
      hint: `did you mean ${url.origin}${path}?`,
    });
  }
  if (api === "legacy" && text.endsWith(apis.public.basePath)) {
    throw usageError(
      `invalid ${source} "${address}": expected the host of the legacy API, without ${apis.public.basePath}`,
    );
  }
  return text;
}

/**
 * @throws usage error (2) that lists the host's API URLs, or only the distributor APIs for a URL that looks
 * like a distributor's
 */
export function readApi(address: string, source: string): ApiName {
  const api = findApiByAddress(address);
  if (api !== undefined) return api;
  parseAddress(address, "legacy", source);
  const { origin, host, pathname } = new URL(address);
  const isDistributors = /distributor|partner|msp/i.test(`${host}${pathname}`);
  const all = isDistributors
    ? (["distributor-v2", "distributor-v1"] as const)
    : (["public", "distributor-v2", "distributor-v1"] as const);
  const addresses = all.map((name) => `${origin}${apis[name].basePath} (${name})`);
  throw usageError(`${source}: cannot detect the API of "${address}"`, {
    hint: `use one of these URLs: ${addresses.join(", ")}; for the legacy API, use --api legacy with the host alone`,
  });
}

export function findApiByAddress(address: string): ApiName | undefined {
  if (!URL.canParse(address)) return undefined;
  const path = new URL(address).pathname.replace(/\/+$/, "");
  return Object.values(apis).find(({ basePath }) => basePath !== "" && path.endsWith(basePath))?.name;
}

export function isHostAlone(address: string): boolean {
  return URL.canParse(address) && /^\/*$/.test(new URL(address).pathname);
}

export function toLegacyAddress(publicAddress: string): string {
  return publicAddress.slice(0, publicAddress.length - apis.public.basePath.length);
}
