/** Returns whether a host, with or without an IPv6 address's brackets, is this machine. RFC 6761 reserves `.localhost` for it. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1") return true;
  // Without node:net, which in-process commands don't need.
  return /^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/.test(host);
}
