import type { ApiName } from "./apis.js";

/** If set, the variables replace a stored profile. */
export const environmentVariables: Readonly<Record<ApiName, { url: string; key: string }>> = {
  public: { url: "VOXCTL_BASE_URL", key: "VOXCTL_API_KEY" },
  "distributor-v2": { url: "VOXCTL_DISTRIBUTOR_URL", key: "VOXCTL_DISTRIBUTOR_KEY" },
  "distributor-v1": { url: "VOXCTL_DISTRIBUTOR_V1_URL", key: "VOXCTL_DISTRIBUTOR_V1_KEY" },
  legacy: { url: "VOXCTL_LEGACY_URL", key: "VOXCTL_LEGACY_KEY" },
};

/** Never store this profile name in a file, because the variables might not be set later. */
export const environmentName = "environment";
