/** Returns an emulator's URLs. The JSON line of `voxctl emulator start` has the same keys. */
export function buildAddresses(url: string) {
  return {
    url,
    base_url: `${url}/api/v1`,
    distributor_v1_url: `${url}/api/distributor/v1`,
    distributor_v2_url: `${url}/api/distributor/v2`,
    legacy_url: url,
    mcp_url: `${url}/mcp`,
    control_url: `${url}/_emulator`,
  };
}
