import type { Io } from "../../../base/io.js";
import { environmentVariables } from "../../../contract/environment-variables.js";
import type { MirrorApi } from "../../../contract/mirror.js";
import type { RehearsalFiles } from "./rehearsal-files.js";

type Environment = Io["env"];

interface ServedFork {
  api: MirrorApi;
  base_url: string;
  key: string;
}

/** Address of the proxy that blocks other programs' requests to the service. */
export interface GuardAddress {
  url: string;
  noProxy: string;
}

export function createRehearsalVariables(
  files: RehearsalFiles,
  fork: ServedFork,
  guard: GuardAddress | undefined,
): Record<string, string> {
  const proxies: Record<string, string> =
    guard === undefined
      ? {}
      : {
          HTTP_PROXY: guard.url,
          HTTPS_PROXY: guard.url,
          ALL_PROXY: guard.url,
          NO_PROXY: guard.noProxy,
          // Node.js ignores proxy variables without this setting.
          NODE_USE_ENV_PROXY: "1",
        };
  const small = Object.entries(proxies)
    .filter(([name]) => name.endsWith("_PROXY") && name !== "NODE_USE_ENV_PROXY")
    .map(([name, value]) => [name.toLowerCase(), value]);
  return {
    VOXCTL_REHEARSAL: files.file,
    VOXCTL_DATA_DIR: files.data,
    [environmentVariables[fork.api].url]: fork.base_url,
    [environmentVariables[fork.api].key]: fork.key,
    ...proxies,
    ...Object.fromEntries(small),
  };
}

/** Omits the URLs and keys of the real service. */
export function createChildEnvironment(
  own: Environment,
  variables: Readonly<Record<string, string>>,
): Environment {
  const real = new Set(Object.values(environmentVariables).flatMap(({ url, key }) => [url, key]));
  const kept = Object.entries(own).filter(([name]) => !real.has(name) && !/^VOXCTL_\w*KEY$/.test(name));
  return { ...Object.fromEntries(kept), ...variables };
}
