import type { Control } from "../../../client/control.js";
import type { SurfaceName } from "../../../contract/surfaces.js";
import type { StartLine } from "../../../emulator/types.js";
import { environmentVariables } from "../../profiles/environment.js";

/** Which address and which seeded key a surface is reached by. */
const access: Readonly<
  Record<
    SurfaceName,
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

/** The variables that make voxctl, or another program, use an emulator. A surface without a key is left out. */
export function variablesOf(line: StartLine, keys: Partial<StartLine["keys"]>): Record<string, string> {
  const variables: Record<string, string> = {
    VOXCTL_EMULATOR_URL: line.url,
    VOXCTL_EMULATOR_CONTROL_TOKEN: line.control_token,
  };
  let surface: SurfaceName;
  for (surface in environmentVariables) {
    const { url, key } = access[surface];
    const value = keys[key];
    if (value === undefined) continue;
    variables[environmentVariables[surface].url] = line[url];
    variables[environmentVariables[surface].key] = value;
  }
  return variables;
}

/** Address and key of each surface of a running emulator, as its keys are now. */
export async function currentAccess(
  line: StartLine,
  control: Control,
): Promise<Partial<Record<SurfaceName, { url: string; key: string }>>> {
  const keys = await currentKeys(line, control);
  const surfaces: Partial<Record<SurfaceName, { url: string; key: string }>> = {};
  let surface: SurfaceName;
  for (surface in access) {
    const value = keys[access[surface].key];
    if (value !== undefined) surfaces[surface] = { url: line[access[surface].url], key: value };
  }
  return surfaces;
}

/** The keys that a world began with, as they are now: a reset may change them, and each can be revoked or deleted. */
export async function currentKeys(line: StartLine, control: Control): Promise<Partial<StartLine["keys"]>> {
  const keys: Partial<StartLine["keys"]> = {};
  const listed = await control("keys.list");
  let name: keyof StartLine["keys"];
  for (name in line.keys) {
    const key = listed.find(
      (one) => one.name === name && one.status === "active" && one.creator !== "control",
    );
    if (!key) continue;
    const { key: value } = await control("keys.get", { path: { id: key.id } });
    if (value !== null) keys[name] = value;
  }
  return keys;
}
