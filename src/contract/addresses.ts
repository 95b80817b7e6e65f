/** Returns the base URLs of all APIs for an emulator at `url`, under the same names as in the start line. */
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
