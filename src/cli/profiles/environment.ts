import type { Io } from "../../base/io.js";
import type { Target } from "../../client/types.js";
import type { SurfaceName } from "../../contract/surfaces.js";
import { usageError } from "../errors/errors.js";
import { legacyAddress, parseAddress } from "./address.js";
import { parseKey } from "./keys.js";

/** The variables that make a profile without a file: an address and a key for each surface. */
export const environmentVariables: Readonly<Record<SurfaceName, { url: string; key: string }>> = {
  public: { url: "VOXCTL_BASE_URL", key: "VOXCTL_API_KEY" },
  "distributor-v2": { url: "VOXCTL_DISTRIBUTOR_URL", key: "VOXCTL_DISTRIBUTOR_KEY" },
  "distributor-v1": { url: "VOXCTL_DISTRIBUTOR_V1_URL", key: "VOXCTL_DISTRIBUTOR_V1_KEY" },
  legacy: { url: "VOXCTL_LEGACY_URL", key: "VOXCTL_LEGACY_KEY" },
};

const order: readonly SurfaceName[] = ["public", "distributor-v2", "distributor-v1", "legacy"];

/**
 * The addresses and keys of the environment; undefined where it names none.
 * @throws usage error (2) when one of a pair is missing or empty: a job that lost its secret must not go on with another
 */
export function environmentTargets(env: Io["env"]): Partial<Record<SurfaceName, Target>> | undefined {
  const targets: Partial<Record<SurfaceName, Target>> = {};
  for (const surface of order) {
    const target = environmentTarget(env, surface);
    if (target) targets[surface] = target;
  }
  return Object.keys(targets).length > 0 ? withLegacy(targets) : undefined;
}

function environmentTarget(env: Io["env"], surface: SurfaceName): Target | undefined {
  const names = environmentVariables[surface];
  const url = env[names.url];
  const key = env[names.key];
  if (url === undefined && key === undefined) return undefined;
  for (const [name, value, other] of [
    [names.url, url, names.key],
    [names.key, key, names.url],
  ] as const) {
    if (value === undefined)
      throw usageError(`${other} is set, but ${name} is not`, {
        hint: "An address and its key come together; set both or neither",
      });
    if (value.trim() === "")
      throw usageError(`${name} is set, but empty`, {
        hint: `Set ${names.url} and ${names.key} both, or unset them`,
      });
  }
  return { baseUrl: parseAddress(url ?? "", surface, names.url), key: parseKey(key ?? "", names.key) };
}

/** The legacy interface is served by the public one's host with its key, unless said otherwise. */
export function withLegacy(
  targets: Partial<Record<SurfaceName, Target>>,
): Partial<Record<SurfaceName, Target>> {
  if (targets.legacy || !targets.public) return targets;
  return { ...targets, legacy: { baseUrl: legacyAddress(targets.public.baseUrl), key: targets.public.key } };
}
