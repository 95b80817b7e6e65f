/**
 * Returns whether a host is this machine. The host may be an IPv6 address with or without brackets. `.localhost` is reserved for loopback
 * (RFC 6761).
 */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1") return true;
  // Avoids node:net, which in-process commands don't need to load.
  return /^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/.test(host);
}
