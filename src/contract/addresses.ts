/** Returns an emulator's URLs under the names of the JSON line that `voxctl emulator start` prints. */
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
