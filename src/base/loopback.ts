/**
 * Returns whether a host name or address refers to this machine. Accepts an IPv6 address with or without
 * brackets. `.localhost` names are reserved for loopback (RFC 6761).
 */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1") return true;
  // Avoids loading `node:net`, which most commands don't need.
  return /^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/.test(host);
}
