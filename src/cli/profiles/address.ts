import { type ApiName, apis } from "../../contract/apis.js";
import { usageError } from "../errors/errors.js";

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A surface's base address in its usual form, without a slash at its end.
 * @param source what to call it in messages: `--url`, `VOXCTL_BASE_URL`
 * @throws usage error (2): no address, plain http beyond loopback, credentials in it, or another surface's path
 */
export function parseAddress(address: string, api: ApiName, source: string): string {
  if (!URL.canParse(address))
    throw usageError(`${source}: "${address}" is no address; write https://host${apis[api].basePath}`);
  const url = new URL(address);
  if (url.username || url.password)
    throw usageError(`${source}: an address must not hold a user name or a password`);
  if (url.search || url.hash)
    throw usageError(`${source}: "${address}" must end with its path, without ? or #`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw usageError(`${source}: "${address}" must begin with https://, or on this machine with http://`);
  if (url.protocol === "http:" && !loopback.test(url.hostname)) {
    throw usageError(
      `${source}: "${address}" would send the key in clear; plain http goes to this machine only`,
      { hint: "Use https://" },
    );
  }
  const text = url.href.replace(/\/+$/, "");
  const path = apis[api].basePath;
  // Both documents say what a base address ends in; the legacy interface is addressed by its host.
  if (path !== "" && !text.endsWith(path)) {
    throw usageError(`${source}: "${address}" must end in ${path}`, {
      hint: `Did you mean ${url.origin}${path}?`,
    });
  }
  if (api === "legacy" && text.endsWith(apis.public.basePath)) {
    throw usageError(
      `${source}: the legacy interface is addressed by its host, without ${apis.public.basePath}`,
    );
  }
  return text;
}

/**
 * The interface that an address says itself by its path.
 * @throws usage error (2) that shows the address of each interface on this host, those of a distributor alone where the
 * address speaks of one
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
  throw usageError(`${source}: "${address}" does not say which interface it is`, {
    hint: `It ends in one of these: ${addresses.join(", ")}; or --api legacy, with the host alone`,
  });
}

/** The interface that an address says itself by its path; undefined where it says none, as a host alone. */
export function findApiByAddress(address: string): ApiName | undefined {
  if (!URL.canParse(address)) return undefined;
  const path = new URL(address).pathname.replace(/\/+$/, "");
  return Object.values(apis).find(({ basePath }) => basePath !== "" && path.endsWith(basePath))?.name;
}

/** Does it name a host, and nothing on it? */
export function isHostAlone(address: string): boolean {
  return URL.canParse(address) && /^\/*$/.test(new URL(address).pathname);
}

/** The legacy interface of the deployment that serves a Public API at this address. */
export function toLegacyAddress(publicAddress: string): string {
  return publicAddress.slice(0, publicAddress.length - apis.public.basePath.length);
}
