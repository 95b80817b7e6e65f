import { isIPv4 } from "node:net";

/** Does this host, with or without an IPv6 address's brackets, name this machine? RFC 6761 keeps `.localhost` for it. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1") return true;
  return isIPv4(host) && host.startsWith("127.");
}
