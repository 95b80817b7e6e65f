import type { Control } from "../../client/control.js";
import type { ApiName } from "../../contract/apis.js";
import { environmentVariables } from "../../contract/environment-variables.js";
import type { StartLine } from "../../emulator/types.js";

const access: Readonly<
  Record<
    ApiName,
    {
      url: "base_url" | "distributor_v1_url" | "distributor_v2_url" | "legacy_url";
      key: keyof StartLine["keys"];
    }
  >
> = {
  public: { url: "base_url", key: "admin" },
  "distributor-v2": { url: "distributor_v2_url", key: "distributor_v2" },
  "distributor-v1": { url: "distributor_v1_url", key: "distributor_v1" },
  legacy: { url: "legacy_url", key: "legacy" },
};

/** Omits the APIs without a key. */
export function createVariables(line: StartLine, keys: Partial<StartLine["keys"]>): Record<string, string> {
  const variables: Record<string, string> = {
    VOXCTL_EMULATOR_URL: line.url,
    VOXCTL_EMULATOR_CONTROL_TOKEN: line.control_token,
  };
  let api: ApiName;
  for (api in environmentVariables) {
    const { url, key } = access[api];
    const value = keys[key];
    if (value === undefined) continue;
    variables[environmentVariables[api].url] = line[url];
    variables[environmentVariables[api].key] = value;
  }
  return variables;
}

export async function readCurrentAccess(
  line: StartLine,
  control: Control,
): Promise<Partial<Record<ApiName, { url: string; key: string }>>> {
  const keys = await readCurrentKeys(line, control);
  const accessByApi: Partial<Record<ApiName, { url: string; key: string }>> = {};
  let api: ApiName;
  for (api in access) {
    const value = keys[access[api].key];
    if (value !== undefined) accessByApi[api] = { url: line[access[api].url], key: value };
  }
  return accessByApi;
}

/** Returns the initial keys that are still active. */
export async function readCurrentKeys(
  line: StartLine,
  control: Control,
): Promise<Partial<StartLine["keys"]>> {
  const keys: Partial<StartLine["keys"]> = {};
  const listed = await control("keys.list");
  let name: keyof StartLine["keys"];
  for (name in line.keys) {
    const key = listed.find(
      (listedKey) =>
        listedKey.name === name && listedKey.status === "active" && listedKey.creator !== "control",
    );
    if (!key) continue;
    const { key: value } = await control("keys.get", { path: { id: key.id } });
    if (value !== null) keys[name] = value;
  }
  return keys;
}
