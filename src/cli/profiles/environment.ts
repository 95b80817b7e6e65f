import type { Io } from "../../base/io.js";
import type { Target } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import { environmentVariables } from "../../contract/environment-variables.js";
import { usageError } from "../errors/errors.js";
import { parseAddress, toLegacyAddress } from "./address.js";
import { parseKey } from "./keys.js";

const order: readonly ApiName[] = ["public", "distributor-v2", "distributor-v1", "legacy"];

/**
 * Returns the URLs and keys in the environment; undefined if it contains none.
 * @throws usage error (2) if a URL or key is missing or empty, because a job without its secret must not use
 * another profile
 */
export function readEnvironmentTargets(env: Io["env"]): Partial<Record<ApiName, Target>> | undefined {
  const targets: Partial<Record<ApiName, Target>> = {};
  for (const api of order) {
    const target = readEnvironmentTarget(env, api);
    if (target) targets[api] = target;
  }
  return Object.keys(targets).length > 0 ? addLegacyTarget(targets) : undefined;
}

function readEnvironmentTarget(env: Io["env"], api: ApiName): Target | undefined {
  const names = environmentVariables[api];
  const url = env[names.url];
  const key = env[names.key];
  if (url === undefined && key === undefined) return undefined;
  for (const [name, value, counterpart] of [
    [names.url, url, names.key],
    [names.key, key, names.url],
  ] as const) {
    if (value === undefined)
      throw usageError(`${counterpart} is set, but ${name} is not`, {
        hint: "set both variables, or neither",
      });
    if (value.trim() === "")
      throw usageError(`${name} is empty`, {
        hint: `set both ${names.url} and ${names.key}, or neither`,
      });
  }
  return { baseUrl: parseAddress(url ?? "", api, names.url), key: parseKey(key ?? "", names.key) };
}

/** Adds a target for the legacy API, which by default uses the host and key of the Public API. */
export function addLegacyTarget(targets: Partial<Record<ApiName, Target>>): Partial<Record<ApiName, Target>> {
  if (targets.legacy || !targets.public) return targets;
  return {
    ...targets,
    legacy: { baseUrl: toLegacyAddress(targets.public.baseUrl), key: targets.public.key },
  };
}
